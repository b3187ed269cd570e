public import Foundation
import GatehouseProtocol

/// Which tokens a back end accepts. Only the back end's code decides this, never a token or a
/// request.
public struct VerifierConfiguration: Sendable, Hashable {
  /// `iss` of the project's ID tokens.
  public let issuer: String

  /// `iss` of the project's session cookies.
  public let sessionCookieIssuer: String

  /// The project's id: `aud` of ID tokens and session cookies.
  public let projectID: String

  /// The URL at which the back end reaches the server.
  public let serverURL: URL

  /// Identifies the project to the server; not a secret. Needed only to ask the server whether a
  /// session is still valid.
  public var apiKey: String?

  /// The tolerated difference between the server's clock and this machine's, in seconds.
  public var clockSkewSeconds = 60

  /// For how many seconds keys are used after they expired, while the server can't be reached.
  ///
  /// The default is a day, because by schedule the server publishes a key a day before it signs with
  /// it. The disadvantage: a key that the server has discarded since is still accepted.
  public var staleKeySeconds = 24 * 60 * 60

  /// The time limit for one request, from connecting to the last byte received, in seconds.
  public var timeout: TimeInterval = 10

  /// Creates the configuration for a server in production.
  ///
  /// - Parameters:
  ///   - publicURL: The server's `--public-url`, `https://auth.example.com`. A slash at the end is
  ///     removed. The issuer consists of this URL and the project's id.
  ///   - projectID: The project's id, `my-app`.
  ///   - serverURL: The URL at which the back end reaches the server, if it is another one: an
  ///     address inside your network. It must use `https`, or plain `http` on this machine. The
  ///     keys come from there, so an attacker must not be able to change what arrives.
  ///   - apiKey: See ``apiKey``.
  /// - Throws: ``VerifierConfigurationFault``.
  public init(
    publicURL: String, projectID: String, reachedAt serverURL: String? = nil, apiKey: String? = nil
  ) throws(VerifierConfigurationFault) {
    let server = try ServerAddress(publicURL)
    let project = try Self.project(projectID)
    issuer = "\(server.text)/\(project)"
    sessionCookieIssuer = "\(server.text)/\(project)/session"
    self.projectID = project.text
    self.serverURL = if let serverURL { try ServerAddress(serverURL).url } else { server.url }
    self.apiKey = apiKey
  }

  private init(development server: ServerAddress, project: ProjectID, apiKey: String) {
    issuer = "https://securetoken.google.com/\(project)"
    sessionCookieIssuer = "https://session.firebase.google.com/\(project)"
    projectID = project.text
    serverURL = server.url
    self.apiKey = apiKey
  }

  /// Creates the configuration for a server started with `--dev`, whose tokens have Google's
  /// issuers and the server's signatures.
  ///
  /// - Parameters:
  ///   - serverURL: A URL on this machine: a development server doesn't listen elsewhere.
  ///   - apiKey: Any text for the server's default project, which is `demo` unless the server was
  ///     started with another one. For another project, an API key of that project.
  /// - Throws: ``VerifierConfigurationFault``.
  public static func development(
    serverURL: String = "http://127.0.0.1:9099", projectID: String = "demo",
    apiKey: String = "any"
  ) throws(VerifierConfigurationFault) -> VerifierConfiguration {
    let server = try ServerAddress(serverURL)
    guard server.isLoopback else {
      throw VerifierConfigurationFault("a development server must be on this machine: \(serverURL)")
    }
    return VerifierConfiguration(
      development: server, project: try project(projectID), apiKey: apiKey)
  }

  /// The URL of the key set. The discovery document names the same URL, so it isn't fetched.
  func keySet(of kind: SignedTokenVerifier.Kind) -> URL {
    let place = kind == .sessionCookies ? "\(projectID)/session" : projectID
    return serverURL.appendingPathComponent("\(place)/.well-known/jwks.json")
  }

  private static func project(_ text: String) throws(VerifierConfigurationFault) -> ProjectID {
    guard let project = ProjectID(text) else {
      throw VerifierConfigurationFault(
        "a project's id must have 3 to 63 lower-case letters, digits or hyphens, and begin with a "
          + "letter: \(text)")
    }
    return project
  }
}

/// What is wrong with a configuration. The text is for the developer who wrote it.
public struct VerifierConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
