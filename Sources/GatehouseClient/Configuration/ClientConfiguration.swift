public import Foundation
import GatehouseModel

/// Which server and project an app belongs to.
public struct ClientConfiguration: Sendable, Hashable {
  /// Where the server is, like `https://auth.example.com`, without a slash at the end.
  public package(set) var serverURL: URL
  /// Names the project; not a secret.
  public package(set) var apiKey: String
  public var projectID: String?
  /// The app, to the server and in a browser flow.
  public var bundleID: String?
  /// The app's OAuth client at Google, whose reverse is a URL scheme of the app.
  public var clientID: String?
  public var googleAppID: String?
  /// Tells clients of one project on one device apart: each name has a session of its own.
  public var appName = "[DEFAULT]"
  /// Refreshes the ID token before it expires, while the app runs.
  public var refreshesProactively = true
  /// For all attempts of one call together.
  public var requestTimeout: Duration = .seconds(60)
  /// For one attempt of a call that may be sent again, such as a refresh: a connection that
  /// swallows answers leaves time for another.
  public var attemptTimeout: Duration = .seconds(15)
  /// The server is one for development: its sessions don't meet those of the real one.
  public package(set) var usesEmulator = false

  /// - Parameters:
  ///   - serverURL: `https`, or `http` where the host is this machine (`localhost`, a loopback
  ///     address). It may have a port and a path, but no user, query or fragment.
  ///   - apiKey: 1 to 512 visible ASCII characters.
  /// - Throws: ``ConfigurationFault`` for anything else.
  public init(serverURL: URL, apiKey: String, projectID: String? = nil) throws(ConfigurationFault) {
    self.serverURL = try Self.checked(serverURL)
    guard !apiKey.isEmpty else { throw ConfigurationFault("The API key is empty") }
    guard apiKey.utf8.count <= 512, apiKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ConfigurationFault("The API key has other characters than visible ASCII, or over 512")
    }
    self.apiKey = apiKey
    self.projectID = projectID
  }

  /// For an emulator, which may be plain http on any host, and for clients that reach nothing.
  package init(unchecked serverURL: URL, apiKey: String, projectID: String? = nil) {
    self.serverURL = serverURL
    self.apiKey = apiKey
    self.projectID = projectID
  }

  /// The URL scheme that Google's sheet returns to: ``clientID`` with its parts in reverse.
  public var reversedClientID: String? {
    clientID?.split(separator: ".", omittingEmptySubsequences: false).reversed()
      .joined(separator: ".")
  }

  /// The URL scheme at which a browser comes back to the app, by what the server knows it by: its
  /// client id at Google backwards, else its app id as `app-1-…`, else its bundle id. Nil without any.
  public var callbackScheme: String? {
    reversedClientID ?? googleAppID.map { "app-" + $0.replacing(":", with: "-") } ?? bundleID
  }

  private static func checked(_ url: URL) throws(ConfigurationFault) -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let host = parts.host, !host.isEmpty
    else {
      throw ConfigurationFault("The server's URL has no host: it is like https://auth.example.com")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw ConfigurationFault("The server's URL has a user, query or fragment")
    }
    switch parts.scheme?.lowercased() {
    case "https": break
    case "http":
      guard LoopbackName.isLoopback(host) else {
        throw ConfigurationFault(
          "The server's URL is http: tokens would cross the network in the clear. Use https; http "
            + "is for this machine only")
      }
    default: throw ConfigurationFault("The server's URL isn't https")
    }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let url = parts.url else { throw ConfigurationFault("The server's URL can't be read") }
    return url
  }
}

/// What is wrong with a configuration, for the developer to read.
public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}
