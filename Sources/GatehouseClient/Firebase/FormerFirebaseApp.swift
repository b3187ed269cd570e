package import Foundation

/// The app's registration at Firebase, from before the app moved to this server.
///
/// With it, users whom Google's SDK left signed in on the device stay signed in: the client trades their
/// session at Firebase for one of this server, when a token is first needed. Until then they are signed in
/// with the profile that Google's SDK kept, also offline. The server has to accept sessions of the Firebase
/// project: `gatehouse projects set --firebase-project`.
public struct FormerFirebaseApp: Sendable, Hashable {
  /// `GOOGLE_APP_ID` of the app's former `GoogleService-Info.plist`, such as `1:12345:ios:0a1b2c3d`.
  public var googleAppID: String
  /// `API_KEY` of that file. It has to stay valid at Google as long as sessions are traded.
  public var apiKey: String
  /// The name that the app gave to `FirebaseApp.configure(name:options:)`; nil for the default app.
  public var name: String?
  /// Google's token endpoint without `/v1/token`.
  package var tokenServer = Self.tokenServer
  static let tokenServer = URL(string: "https://securetoken.googleapis.com")

  public init(googleAppID: String, apiKey: String, name: String? = nil) {
    self.googleAppID = googleAppID
    self.apiKey = apiKey
    self.name = name
  }

  /// The name of the default app in Google's SDK.
  var storedName: String { name ?? "__FIRAPP_DEFAULT" }
}
