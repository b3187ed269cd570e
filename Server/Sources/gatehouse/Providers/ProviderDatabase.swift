import ArgumentParser
import GatehouseServer
import GatehouseProtocol

/// Changes a project's providers.
struct ProviderDatabase: ParsableArguments {
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  /// Changes a provider's configuration, or creates one.
  ///
  /// - Returns: The project, for messages about it.
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
  /// The provider that is configured under `id`, an argument of the command line.
  func provider(_ id: String, of project: ProjectID) async throws -> ProviderConfiguration {
    guard let name = ProviderID(id),
      let provider = try await store.read({ try $0.providerWithApps(name, in: project) })
    else {
      throw CommandFailure(
        "\(project) has no provider “\(id)”; `gatehouse providers list` lists them")
    }
    return provider
  }

  /// Changes a configuration. `known` is the existing configuration, if there is one.
  typealias ProviderChange =
    @Sendable (
      inout ProviderConfiguration, _ known: ProviderConfiguration?
    ) throws -> Void

  /// Changes the configuration of `id`, or creates one, under the same rules as over HTTP.
  ///
  /// - Parameter isReplaced: Whether `change` begins with a new configuration instead of the
  ///   existing one.
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
      // The server refuses plain HTTP in production; the command also changes databases of `--dev`.
      let faults = ProviderConfigurationRules.faults(in: provider, allowsPlainHTTP: true)
      guard faults.isEmpty else {
        throw CommandFailure(faults.map(\.remedy).joined(separator: "\n"))
      }
      if known == nil {
        guard try transaction.add(provider, to: project) else {
          throw CommandFailure(
            "the project has \(ProviderConfiguration.maximumPerProject) providers, the maximum. Remove one "
              + "first: gatehouse providers remove")
        }
      } else {
        try transaction.save(provider, in: project)
      }
      guard let saved = try transaction.project(project) else {
        throw CommandFailure("the project \(project) no longer exists")
      }
      return saved
    }
  }
}

extension ProviderConfigurationFault {
  /// What is wrong and what to do, in the command's own flags.
  var remedy: String {
    switch self {
    case .clientIDMissing: "--client-id is empty: give the client id that the provider issued"
    case .clientIDForm(let form): "the client id: \(form)"
    case .issuerMissing: "--issuer is empty: give the provider's issuer, exactly as in its tokens"
    case .issuerForm: "--issuer: must be an https URL without a fragment (http only for loopback)"
    case .discoveryURLForm:
      "--discovery-url: must be an https URL without a fragment (http only for loopback)"
    case .scopeForm:
      "--scopes: at most 32 scopes with spaces between them, as in \"email profile\""
    case .tenantForm: "--tenant: must be common, organizations, consumers, or the tenant's id"
    case .secretMissing:
      "the code flow needs a secret: give --client-secret-file or --private-key-file, or "
        + "--public-client if the provider issues none and accepts PKCE instead"
    case .secretOfPublicClient:
      "--public-client is for a client without a secret: leave --client-secret-file and "
        + "--private-key-file out"
    case .secretAndKey: "give --client-secret-file or --private-key-file, not both"
    case .clientKeyForm:
      "--private-key-file: not an unencrypted P-256, P-384, P-521 or RSA key of 2048 bits or more in "
        + "PEM; `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` creates one"
    case .clientKeyAlgorithm:
      "--algorithm doesn't fit the key: ES256, ES384 or ES512 by its curve; for an RSA key RS256, "
        + "RS384, RS512, PS256, PS384 or PS512"
    case .clientKeyID: "--key-id: 1 to 256 visible ASCII characters"
    case .idTokenInQuery:
      "--response-mode query is for the code flow: an ID token must not be in a query"
    case .bothResponseTypes: "--response-type: must be code or id_token"
    case .clientRepeated(let text):
      "\(text): is already a client id of this provider, or an app of another client"
    case .parameterReserved(let name):
      "--allow-parameter \(name): only the server may set it, or it is not a parameter's name"
    case .openIDConnectOnly: "only OpenID Connect providers have these settings"
    case .emailTrust(let reason): "--trust-email: only never is possible here: \(reason)"
    case .keptTokens(let reason): "--keep-refresh-token is not possible here: \(reason)"
    case .listTooLong(let maximum): "at most \(maximum) values may be given to one flag"
    case .textTooLong(let maximum): "at most \(maximum) bytes may be given to one flag"
    }
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

extension Project {
  /// The redirect URI, to be registered with the provider; nil for a project of `--dev`, whose
  /// issuer doesn't contain the server's URL.
  func returnURL(of provider: ProviderID) -> String? {
    publicURL.map { $0 + RedirectPath(of: provider, in: id).text }
  }

  /// Where a provider reports events about its users, below the server's URL; nil for a provider
  /// that reports none.
  func notificationPath(of provider: ProviderID) -> String? {
    guard let kind = IdentityProviders.kind(of: provider), kind.notifications != nil else {
      return nil
    }
    return "/v1/notifications/\(kind.name)/\(id)"
  }

  /// The URL for a provider's events, to be registered with the provider. For a project of `--dev`,
  /// whose issuer doesn't contain the server's URL, only the path.
  func notificationPlace(of provider: ProviderID) -> String? {
    notificationPath(of: provider).map { (publicURL ?? "") + $0 }
  }

  /// The URL of the public key with which a provider verifies our client assertions.
  func keySetURL(of provider: ProviderID) -> String? {
    publicURL.map { $0 + RedirectPath.keySet(of: provider, in: id) }
  }

  /// Prints the URL to register for the web flow, and where to register it.
  func sayReturnURL(of provider: ProviderID) {
    guard let returnURL = returnURL(of: provider) else { return }
    let place = IdentityProviders.kind(of: provider)?.redirectURIPlace ?? "at the provider"
    Terminal.say("For sign-in in a browser, register this URL \(place):")
    Terminal.say("  \(returnURL)")
  }
}
