public import Foundation
import GatehouseProtocol

/// The server and the project that an app uses.
public struct ClientConfiguration: Sendable, Hashable {
  /// The server's URL, such as `https://auth.example.com`, without a slash at the end.
  public package(set) var serverURL: URL
  /// Identifies the project; not a secret.
  public package(set) var apiKey: String
  public var projectID: String?
  /// The app's bundle id. It identifies the app to the server, also in a browser sign-in.
  public var bundleID: String?
  /// The app's OAuth client id at Google. Reversed, it is a URL scheme of the app.
  public var clientID: String?
  public var googleAppID: String?
  /// The app's registration at Firebase, if users of a version with Google's SDK have to stay signed in.
  /// For Apple's platforms.
  public var formerFirebaseApp: FormerFirebaseApp?
  /// Distinguishes clients of one project on one device: each name has its own session.
  public var appName = "[DEFAULT]"
  /// Whether the client refreshes the ID token before it expires, while the app runs.
  public var refreshesProactively = true
  /// Whether ``AccountManager`` and `GatehouseAuth` listen for what happens to the account elsewhere, while
  /// the app is active. An ``AuthClient`` alone listens only if the app calls
  /// ``AuthClient/listenForChanges()``.
  public var listensForChanges = true
  /// The time limit for all attempts of one call together, in seconds.
  public var requestTimeout: TimeInterval = 60
  /// The time limit for one attempt of a call that may be sent again, such as a refresh. It leaves
  /// time for another attempt if a response is lost. In seconds.
  public var attemptTimeout: TimeInterval = 15
  /// Whether the server is a development server. Its sessions are stored separately from those of
  /// the production server.
  public package(set) var usesEmulator = false

  /// - Parameters:
  ///   - serverURL: `https`, or `http` if the host is this machine (`localhost` or a loopback
  ///     address). It may have a port and a path, but no user, query or fragment.
  ///   - apiKey: 1 to 512 visible ASCII characters.
  /// - Throws: ``ConfigurationFault`` for anything else.
  public init(serverURL: URL, apiKey: String, projectID: String? = nil) throws(ConfigurationFault) {
    self.serverURL = try Self.checked(serverURL)
    guard !apiKey.isEmpty else { throw ConfigurationFault("The API key is empty") }
    guard apiKey.utf8.count <= 512, apiKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ConfigurationFault("The API key may have only visible ASCII characters, 512 at most")
    }
    self.apiKey = apiKey
    self.projectID = projectID
  }

  /// Doesn't check the URL. For an emulator, which may use plain HTTP on any host, and for clients
  /// that connect to no server.
  package init(unchecked serverURL: URL, apiKey: String, projectID: String? = nil) {
    self.serverURL = serverURL
    self.apiKey = apiKey
    self.projectID = projectID
  }

  /// The URL scheme to which Google's sheet returns: ``clientID`` with its parts in reverse order.
  public var reversedClientID: String? {
    clientID?.split(separator: ".", omittingEmptySubsequences: false).reversed()
      .joined(separator: ".")
  }

  /// The URL scheme with which a browser returns to the app. It is the first of these that the app
  /// has: its reversed client id at Google, its app id as `app-1-…`, its bundle id. Otherwise nil.
  public var callbackScheme: String? {
    reversedClientID ?? googleAppID.map {
      "app-" + $0.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "-")
    } ?? bundleID
  }

  private static func checked(_ url: URL) throws(ConfigurationFault) -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let host = parts.host, !host.isEmpty
    else {
      throw ConfigurationFault(
        "The server's URL has no host: write it like https://auth.example.com")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw ConfigurationFault("The server's URL has a user, query or fragment")
    }
    switch parts.scheme?.lowercased() {
    case "https": break
    case "http":
      guard LoopbackName.isLoopback(host) else {
        throw ConfigurationFault(
          "The server's URL is http: tokens would be sent unencrypted. Use https; http "
            + "is allowed for this machine only")
      }
    default: throw ConfigurationFault("The server's URL isn't https")
    }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let url = parts.url else { throw ConfigurationFault("The server's URL can't be read") }
    return url
  }
}

/// What is wrong with a configuration. The text is for the developer.
public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}
