public import Foundation

/// Which server and project an app belongs to.
public struct ClientConfiguration: Sendable, Hashable {
  /// Where the server is, like `https://auth.example.com`. Plain `http` only for this machine.
  public var serverURL: URL
  /// Names the project; not a secret.
  public var apiKey: String
  public var projectID: String?
  /// The app, to the server and in a browser flow.
  public var bundleID: String?
  /// The app's OAuth client at Google, whose reverse is a URL scheme of the app.
  public var clientID: String?
  public var googleAppID: String?
  /// Refreshes the ID token before it expires, while the app runs.
  public var refreshesProactively = true
  public var requestTimeout: Duration = .seconds(60)

  /// - Throws: ``ConfigurationFault`` for a URL that isn't `https` (or `http` on loopback), and an
  ///   empty key.
  public init(serverURL: URL, apiKey: String, projectID: String? = nil) throws(ConfigurationFault) {
    self.init(unchecked: serverURL, apiKey: apiKey, projectID: projectID)
  }

  /// For an emulator, which may be plain http on any host, and for clients that reach nothing.
  package init(unchecked serverURL: URL, apiKey: String, projectID: String? = nil) {
    self.serverURL = serverURL
    self.apiKey = apiKey
    self.projectID = projectID
  }
}

public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}
