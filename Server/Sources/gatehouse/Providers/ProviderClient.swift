import ArgumentParser
import GatehouseServer
import GatehouseProtocol

/// Flags of each command that changes a provider.
struct ProviderChange: ParsableArguments {
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var project: ProjectOptions

  /// Changes a provider's configuration, or creates one. Asks before something gets lost.
  ///
  /// - Parameters:
  ///   - isReplaced: Whether the members are the whole configuration.
  ///   - change: Sets members. Gets the configuration, if there is one.
  ///   - report: Says more than which provider is configured. Gets the configuration afterwards.
  func run(
    _ id: ProviderID, isReplaced: Bool = false,
    _ change: (inout ProviderMembers, _ known: JSONObject?) throws -> Void,
    report: (JSONObject, ProjectClient) -> Void = { _, _ in }
  ) async throws {
    try await project.run { project in
      let known = try await project.providerIfConfigured(id)
      var members = ProviderMembers()
      try change(&members, known)
      if let known {
        for loss in isReplaced
          ? ["replaces the whole configuration of \(id)"] : members.losses(in: known)
        { try confirmation.confirm("This \(loss). Continue?") }
      }
      let collection = ProjectClient.collection(of: id)
      let saved =
        if known == nil {
          try await project.send(
            .post, collection,
            query: [(id.isOpenIDConnect ? "oauthIdpConfigId" : "idpId"): id.text],
            body: members.body)
        } else {
          try await project.send(
            .patch, collection, id.text,
            query: ["updateMask": isReplaced ? "*" : members.paths.joined(separator: ",")],
            body: members.body)
        }
      project.say(saved) {
        Terminal.say("\(id) is configured for \(project.project).")
        report(saved, project)
        guard let url = saved["redirectUri"]?.string?.printable else { return }
        let place = IdentityProviders.kind(of: id)?.redirectURIPlace ?? "at the provider"
        Terminal.say("For sign-in in a browser, register this URL \(place):")
        Terminal.say("  \(url)")
      }
    }
  }
}

/// Members of a provider's resource, by their paths.
struct ProviderMembers {
  private(set) var body = JSONObject()
  private(set) var paths: [String] = []

  /// - Parameter value: Nil leaves the member as it is.
  mutating func set(_ path: String, _ value: JSONValue?) {
    guard let value else { return }
    paths.append(path)
    let names = path.split(separator: ".").map { String($0) }
    body = Self.setting(value, at: names[...], in: body)
  }

  mutating func set(_ path: String, _ text: String?) { set(path, text.map { .string($0) }) }

  mutating func set(_ path: String, _ flag: Bool?) { set(path, flag.map { .bool($0) }) }

  /// An empty list leaves the member as it is.
  mutating func set(_ path: String, _ list: [String]) {
    set(path, list.isEmpty ? nil : .array(list.map { .string($0) }))
  }

  /// Gives the member its default.
  mutating func clear(_ path: String) { paths.append(path) }

  /// What lists lose: `removes … from …`.
  func losses(in known: JSONObject) -> [String] {
    paths.compactMap { path in
      guard let new = Self.value(at: path, in: body)?.array,
        let old = Self.value(at: path, in: known)?.array
      else { return nil }
      let lost = old.filter { !new.contains($0) }.compactMap(\.string)
      return lost.isEmpty
        ? nil : "removes \(lost.joined(separator: ", ").printable) from \(path)"
    }
  }

  private static func value(at path: String, in object: JSONObject) -> JSONValue? {
    path.split(separator: ".").reduce(JSONValue?.some(.object(object))) { value, name in
      value?[String(name)]
    }
  }

  private static func setting(
    _ value: JSONValue, at path: ArraySlice<String>, in object: JSONObject
  ) -> JSONObject {
    guard let name = path.first else { return object }
    var object = object
    object[name] =
      path.count == 1
      ? value
      : .object(
        setting(value, at: path.dropFirst(), in: object[name]?.object ?? JSONObject()))
    return object
  }
}

extension ProjectClient {
  static func collection(of id: ProviderID) -> String {
    id.isOpenIDConnect ? "oauthIdpConfigs" : "defaultSupportedIdpConfigs"
  }

  /// Nil if there is none.
  func providerIfConfigured(_ id: ProviderID) async throws -> JSONObject? {
    do {
      return try await send(.get, Self.collection(of: id), id.text)
    } catch let refusal as AdministrationRefusal where refusal.isMissingConfiguration {
      return nil
    }
  }

  /// The provider that an argument of the command line names.
  func provider(_ name: String) async throws -> (id: ProviderID, configuration: JSONObject) {
    guard let id = ProviderID(ProviderName.id(name)),
      id.isValidOpenIDConnectName || IdentityProviders.kind(of: id)?.id != nil,
      let found = try await providerIfConfigured(id)
    else {
      throw CommandFailure(
        "\(project) has no provider “\(name)”; `gatehouse providers list` lists them")
    }
    return (id, found)
  }
}

extension JSONObject {
  /// Of a provider's resource: the last part of its name.
  var providerID: String {
    shown("name").split(separator: "/").last.map { String($0) } ?? "-"
  }
}

extension CommandFailure {
  /// For a command that changes an OpenID Connect provider, which must exist.
  static func noProviderYet(_ provider: ProviderID) -> CommandFailure {
    CommandFailure(
      "there is no \(provider) yet: add it with `gatehouse providers add \(provider) --issuer … "
        + "--client-id …`")
  }
}
