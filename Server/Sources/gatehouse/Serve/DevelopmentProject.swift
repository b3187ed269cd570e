import Crypto
import GatehouseServer
import GatehouseProtocol

/// The initial settings of a project of `--dev`: everything is enabled, with the simulator's
/// providers.
struct DevelopmentProject: Sendable {
  /// The simulator's URL; nil if there is none.
  let simulatorURL: String?

  static let bundleID = "com.example.app"
  static let servicesID = "com.example.web"
  static let oidcClientID = "gatehouse-demo"

  /// The client id at a built-in provider.
  static func clientID(of provider: ProviderID) -> String {
    IdentityProviders.kind(of: provider)?.developmentClient?.id ?? ""
  }

  /// - Parameter defaultProject: The project that any unknown API key identifies.
  func projects(defaultProject: ProjectID) -> DevelopmentProjects {
    DevelopmentProjects(defaultProject: defaultProject) { id in
      (project(id), providers())
    }
  }

  /// Has Firebase's own issuer and the emulator's project number.
  private func project(_ id: ProjectID) -> Project {
    Project(
      id: id, number: 12345, displayName: id.text,
      issuer: Project.firebaseIssuer(of: id),
      authorizedDomains: ["localhost", "127.0.0.1"], policies: .development)
  }

  private func providers() -> [ProviderConfiguration] {
    var apple = provider(.apple, clientID: Self.servicesID)
    apple.apple = ProviderConfiguration.AppleSettings(
      bundleIDs: [Self.bundleID], teamID: "TEAM123456", keyID: "KEY1234567",
      privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
    let others = IdentityProviders.builtIn.compactMap { kind -> ProviderConfiguration? in
      guard let id = kind.id, let client = kind.developmentClient else { return nil }
      var provider = provider(id, clientID: client.id)
      provider.clientSecret = Secret(client.secret)
      return provider
    }
    return [apple] + others + [openIDConnect()].compactMap(\.self)
  }

  private func provider(_ id: ProviderID, clientID: String) -> ProviderConfiguration {
    var provider = ProviderConfiguration(new: id, clientID: clientID, development: true)
    provider.isEnabled = true
    return provider
  }

  private func openIDConnect() -> ProviderConfiguration? {
    guard let simulatorURL, let id = ProviderID(Settings.simulatorProvider) else { return nil }
    var provider = provider(id, clientID: Self.oidcClientID)
    provider.displayName = "Simulator"
    provider.issuer = simulatorURL + "/oidc"
    provider.clientSecret = Secret("demo-oidc-secret")
    return provider
  }

  /// Creates the default project if it doesn't exist. Gives its provider `oidc.simulator` the
  /// simulator's current URL.
  func prepare(_ projects: ProjectDirectory, defaultProject: ProjectID) async throws {
    _ = try await projects.projectForAdministrator(defaultProject)
    guard let simulatorURL, let id = ProviderID(Settings.simulatorProvider) else { return }
    let issuer = simulatorURL + "/oidc"
    let known = try await projects.provider(id, in: defaultProject)
    if let known, known.issuer?.hasSameBytes(as: issuer) != true {
      _ = try await projects.updateProvider(id, in: defaultProject) { $0.issuer = issuer }
    }
  }
}
