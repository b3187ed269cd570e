import ArgumentParser
import GatehouseAccounts
import GatehouseFederation
import GatehouseModel

/// One project's providers, as commands change them.
struct ProviderDatabase: ParsableArguments {
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  /// Changes a provider's configuration, or begins one.
  ///
  /// - Returns: The project, for what is to be said of it.
  func change(
    _ id: ProviderID, isReplaced: Bool = false,
    _ change: @escaping OpenDatabase.ProviderChange
  ) async throws -> Project {
    try await data.withDatabase { database in
      try await database.changeProvider(
        id, of: try await project.resolve(in: database), isReplaced: isReplaced, change)
    }
  }
}

extension OpenDatabase {
  /// The provider that is configured under `id`, as it was written on the command line.
  func provider(_ id: String, of project: ProjectID) async throws -> ProviderConfiguration {
    guard let name = ProviderID(id),
      let provider = try await store.read({ try $0.providerWithApps(name, in: project) })
    else {
      throw CommandFailure(
        "\(project) has no provider “\(id)”; `gatehouse providers list` shows them")
    }
    return provider
  }

  /// Sees the configuration that is there, if there is one.
  typealias ProviderChange =
    @Sendable (
      inout ProviderConfiguration, _ known: ProviderConfiguration?
    ) throws -> Void

  /// Changes the configuration of `id`, or begins one, under the rules that hold over HTTP too.
  ///
  /// - Parameter isReplaced: What is configured already doesn't count.
  /// - Returns: The project.
  @discardableResult
  func changeProvider(
    _ id: ProviderID, of project: ProjectID, isReplaced: Bool = false,
    _ change: @escaping ProviderChange
  ) async throws -> Project {
    try await store.write { transaction in
      let known = try transaction.provider(id, in: project)
      let new = ProviderConfiguration(new: id, development: false)
      var provider = isReplaced ? new : known ?? new
      try change(&provider, known)
      // Loopback is the server's to refuse: the command serves databases of `--dev` too.
      let faults = ProviderConfigurationRules.faults(in: provider, allowsPlainHTTP: true)
      guard faults.isEmpty else {
        throw CommandFailure(faults.map(\.remedy).joined(separator: "\n"))
      }
      try transaction.save(provider, in: project)
      guard let saved = try transaction.project(project) else {
        throw CommandFailure("the project \(project) is gone")
      }
      return saved
    }
  }
}

extension ProviderConfigurationFault {
  /// What is wrong and what to do, in the command's own flags.
  var remedy: String {
    switch self {
    case .clientIDMissing: "--client-id is empty: give the id that the provider knows us by"
    case .clientIDForm(let form): "the client id: \(form)"
    case .issuerMissing: "--issuer is empty: give the provider's, exactly as in its tokens"
    case .issuerForm: "--issuer: an https URL without a fragment (http is for loopback only)"
    case .tenantForm: "--tenant: common, organizations, consumers, or the tenant's id"
    case .secretMissing:
      "the code flow needs a secret: give --client-secret-file or --private-key-file, or "
        + "--public-client if the provider issues none and takes PKCE for it"
    case .secretOfPublicClient:
      "--public-client is for a client without a secret: leave --client-secret-file and "
        + "--private-key-file out"
    case .secretAndKey: "give --client-secret-file or --private-key-file, not both"
    case .clientKeyForm:
      "--private-key-file: not an unencrypted P-256, P-384, P-521 or RSA key of 2048 bits or more in "
        + "PEM; `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` makes one"
    case .clientKeyAlgorithm:
      "--algorithm is none of the key's: ES256, ES384 or ES512 by its curve; of RSA RS256, RS384, "
        + "RS512, PS256, PS384 or PS512"
    case .clientKeyID: "--key-id: 1 to 256 visible ASCII characters"
    case .idTokenInQuery:
      "--response-mode query is for the code flow: an ID token must not stand in a query"
    case .bothResponseTypes: "--response-type: code or id_token"
    case .clientRepeated(let text): "\(text): a client id of this provider, or an app's, already"
    case .parameterReserved(let name):
      "--allow-parameter \(name): it is the server's to set, or no parameter's name"
    case .openIDConnectOnly: "only OpenID Connect providers have these settings"
    case .emailTrust(let reason): "--trust-email: only never is possible here: \(reason)"
    case .listTooLong(let maximum): "at most \(maximum) values may be given to one flag"
    case .textTooLong(let maximum): "at most \(maximum) bytes may be given to one flag"
    }
  }
}

extension CommandFailure {
  /// Of a command that changes an OpenID Connect provider, which has to be there.
  static func noProviderYet(_ provider: ProviderID) -> CommandFailure {
    CommandFailure(
      "there is no \(provider) yet: begin with `gatehouse providers add \(provider) --issuer … "
        + "--client-id …`")
  }
}

extension Project {
  /// Where a provider sends the browser back to, to be registered with it; nil for a project of
  /// `--dev`, whose issuer says nothing of where it is.
  func returnURL(of provider: ProviderID) -> String? {
    publicURL.map { $0 + RedirectPath(of: provider, in: id).text }
  }

  /// Where a provider reports events about its users, to be registered with it; nil for a provider
  /// that reports none, and for a project of `--dev`.
  func notificationURL(of provider: ProviderID) -> String? {
    let names: [ProviderID: String] = [.apple: "apple", .google: "google"]
    guard let name = names[provider] else { return nil }
    return publicURL.map { "\($0)/v1/notifications/\(name)/\(id)" }
  }

  /// Where a provider finds the public key by which it checks who we are.
  func keySetURL(of provider: ProviderID) -> String? {
    publicURL.map { $0 + RedirectPath.keySet(of: provider, in: id) }
  }

  /// Says which URL to register for the web flow, and where.
  func sayReturnURL(of provider: ProviderID) {
    guard let returnURL = returnURL(of: provider) else { return }
    let place = IdentityProviders.kind(of: provider)?.redirectURIPlace ?? "at the provider"
    Terminal.say("For sign-in in a browser, register this URL \(place):")
    Terminal.say("  \(returnURL)")
  }
}
