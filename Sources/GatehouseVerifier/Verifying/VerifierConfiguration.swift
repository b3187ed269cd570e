public import Foundation
import GatehouseModel

/// Whose tokens a back end takes: said by the app, never by a token or a request.
public struct VerifierConfiguration: Sendable, Hashable {
  /// `iss` of the project's ID tokens.
  public let issuer: String

  /// `iss` of its session cookies.
  public let sessionCookieIssuer: String

  /// `aud` of both.
  public let projectID: String

  /// Where the server is reached.
  public let serverURL: URL

  /// Names the project to the server; not a secret. Needed only to ask the server whether a session
  /// is still alive.
  public var apiKey: String?

  /// How far the server's clock may be from this machine's, in seconds.
  public var clockSkewSeconds = 60

  /// How long keys are used past their time while the server can't be reached, in seconds.
  ///
  /// A day, for the server publishes a key a day before it signs with it. What is lost by that is
  /// that a key which was discarded meanwhile is still believed.
  public var staleKeySeconds = 24 * 60 * 60

  /// For one answer of the server, from the first byte sent to the last received.
  public var timeout: Duration = .seconds(10)

  /// A server in production.
  ///
  /// - Parameters:
  ///   - publicURL: The server's `--public-url`, `https://auth.example.com`; a slash at the end is
  ///     left away. The issuer is this and the project.
  ///   - projectID: The project's id, `my-app`.
  ///   - serverURL: Where the server is reached, if that is elsewhere: an address inside your
  ///     network. `https`, or plain `http` on this machine; it must be a way that only you can
  ///     change, for the keys come from there.
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

  /// A server started with `--dev`, whose tokens carry Google's names for issuers but the server's
  /// own signatures.
  ///
  /// - Parameters:
  ///   - serverURL: On this machine; a development server listens nowhere else.
  ///   - apiKey: Any names the project `demo`; another project needs one of its own.
  /// - Throws: ``VerifierConfigurationFault``.
  public static func development(
    serverURL: String = "http://127.0.0.1:9099", projectID: String = "demo",
    apiKey: String = "any"
  ) throws(VerifierConfigurationFault) -> VerifierConfiguration {
    let server = try ServerAddress(serverURL)
    guard server.isLoopback else {
      throw VerifierConfigurationFault("a development server is on this machine: \(serverURL)")
    }
    return VerifierConfiguration(
      development: server, project: try project(projectID), apiKey: apiKey)
  }

  /// Where discovery says the key set is, too: it isn't asked, for its answer is known.
  func keySet(of kind: SignedTokenVerifier.Kind) -> URL {
    let place = kind == .sessionCookies ? "\(projectID)/session" : projectID
    return serverURL.appending(path: "\(place)/.well-known/jwks.json")
  }

  private static func project(_ text: String) throws(VerifierConfigurationFault) -> ProjectID {
    guard let project = ProjectID(text) else {
      throw VerifierConfigurationFault(
        "a project's id is a letter and 2 to 62 letters, digits or hyphens, in lower case: \(text)")
    }
    return project
  }
}

/// What is wrong with a configuration, in words for who wrote it.
public struct VerifierConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
