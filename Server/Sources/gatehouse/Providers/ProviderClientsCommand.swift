import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct ProviderClientsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clients", abstract: "Clients of an OpenID Connect provider for individual apps.",
    discussion: """
      A provider may issue a separate client id and secret for each platform. An app that is named \
      here signs in with its own client. Every other app signs in with the provider's first client.
      """,
    subcommands: [SetClientCommand.self, ListClientsCommand.self, RemoveClientCommand.self])
}

struct SetClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Add a client, or change one.")

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @Argument(help: "The client id that the provider issued.")
  var clientID: String

  @Option(help: "A file with the client secret, for the code flow.")
  var clientSecretFile: String?

  @Option(
    help: "The bundle id of an app with this client. May be repeated; replaces the former ones.")
  var bundleID: [String] = []

  @OptionGroup var change: ProviderChange

  func run() async throws {
    let secret = try ProviderOptions.secret(in: clientSecretFile, "--client-secret-file")
    let provider = try ProviderClients.provider(id)
    try await change.run(provider) { members, known in
      guard let known else { throw CommandFailure.noProviderYet(provider) }
      var (clients, index) = ProviderClients.of(known, clientID)
      var client = index.map { clients[$0] } ?? ["clientId": .string(clientID)]
      // The server keeps a secret that isn't given.
      client["clientSecret"] = secret.map { .string($0.reveal()) }
      let lost = client.strings("bundleIds").filter { !bundleID.contains($0) }
      if !bundleID.isEmpty {
        if !lost.isEmpty {
          try change.confirmation.confirm(
            "\(lost.joined(separator: ", ").printable) then signs in with the provider's first client. Continue?"
          )
        }
        client["bundleIds"] = .array(bundleID.map { .string($0) })
      }
      guard !client.strings("bundleIds").isEmpty else {
        throw CommandFailure("name the apps that use it with --bundle-id")
      }
      if let index { clients[index] = client } else { clients.append(client) }
      members.set("clients", .array(clients.map { .object($0) }))
    } report: { _, _ in
      Terminal.say("\(clientID) is one of its clients.")
    }
  }
}

struct ListClientsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a provider's clients.")

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let (_, provider) = try await project.provider(id)
      project.say(provider) {
        var table = TextTable("CLIENT", "SECRET", "APPS")
        for client in [provider] + provider.objects("clients") {
          let apps = client["bundleIds"].map { _ in client.strings("bundleIds") }
          table.add(
            client.shown("clientId"),
            client["hasClientSecret"]?.bool == true ? "set" : "none",
            apps?.joined(separator: " ").printable ?? "every other app")
        }
        table.say()
      }
    }
  }
}

struct RemoveClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a client. Its apps then sign in with the provider's first client.")

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @Argument(help: "The client's id.")
  var clientID: String

  @OptionGroup var change: ProviderChange

  func run() async throws {
    let provider = try ProviderClients.provider(id)
    try await change.run(provider) { members, known in
      guard let known else { throw CommandFailure.noProviderYet(provider) }
      var (clients, index) = ProviderClients.of(known, clientID)
      guard let index else {
        throw CommandFailure(
          "\(provider) has no client “\(clientID)” besides its first; `gatehouse providers clients "
            + "list \(provider)` lists them")
      }
      try change.confirmation.confirm(
        "Remove the client \(clientID)? Its secret is deleted. Continue?")
      clients.remove(at: index)
      members.set("clients", .array(clients.map { .object($0) }))
    } report: { _, _ in
      Terminal.say("Removed.")
    }
  }
}

private enum ProviderClients {
  static func provider(_ id: String) throws -> ProviderID {
    guard let provider = ProviderID(id), provider.isValidOpenIDConnectName else {
      throw ValidationError("“\(id)”: name an OpenID Connect provider, such as oidc.example")
    }
    return provider
  }

  /// The clients besides the first, and the place of one of them.
  static func of(
    _ provider: JSONObject, _ clientID: String
  ) -> (clients: [JSONObject], index: Int?) {
    let clients = provider.objects("clients")
    return (
      clients,
      clients.firstIndex { $0["clientId"]?.string?.hasSameBytes(as: clientID) == true }
    )
  }
}
