public import Foundation
public import GatehouseClient

/// The server and project of an app: the contents of `GoogleService-Info.plist`.
///
/// Not safe to change from two threads at once. ``FirebaseApp`` keeps a copy; later changes have no
/// effect on it.
open class FirebaseOptions: NSObject, NSCopying {
  package var values: OptionValues

  package init(_ values: OptionValues) { self.values = values }

  /// Options without a file.
  ///
  /// - Parameters:
  ///   - googleAppID: The app's id, like `1:12345:ios:0a1b2c3d`.
  ///   - gcmSenderID: The project's number.
  public convenience init(googleAppID: String, gcmSenderID: String) {
    var values = OptionValues()
    values.googleAppID = googleAppID
    values.gcmSenderID = gcmSenderID
    self.init(values)
  }

  /// - Parameter plistPath: A property list, or JSON as `ClientConfiguration` reads it.
  /// - Returns: nil if the file can't be read, has another format, or has no `GOOGLE_APP_ID`.
  public convenience init?(contentsOfFile plistPath: String) {
    guard let values = try? OptionValues(contentsOfFile: plistPath) else { return nil }
    self.init(values)
  }

  /// The options that `FirebaseApp.configure()` uses, from the file that it finds.
  ///
  /// - Returns: nil if there is no such file, it can't be read, or it has no `GOOGLE_APP_ID`.
  open class func defaultOptions() -> FirebaseOptions? {
    (try? OptionsFile.system.read()).map(FirebaseOptions.init)
  }

  open func copy(with zone: NSZone? = nil) -> Any { FirebaseOptions(values) }

  /// `API_KEY`: identifies the project. It is not a secret.
  open var apiKey: String? {
    get { values.apiKey }
    set { values.apiKey = newValue }
  }
  /// `BUNDLE_ID`. If it is absent, the running app's bundle id.
  open var bundleID: String {
    get { values.bundleID ?? Bundle.main.bundleIdentifier ?? "" }
    set { values.bundleID = newValue }
  }
  /// `CLIENT_ID`: the app's OAuth client id at Google. Reversed, it is a URL scheme of the app.
  open var clientID: String? {
    get { values.clientID }
    set { values.clientID = newValue }
  }
  /// `GCM_SENDER_ID`: the project's number.
  open var gcmSenderID: String {
    get { values.gcmSenderID }
    set { values.gcmSenderID = newValue }
  }
  /// `PROJECT_ID`
  open var projectID: String? {
    get { values.projectID }
    set { values.projectID = newValue }
  }
  /// `GOOGLE_APP_ID`
  open var googleAppID: String {
    get { values.googleAppID }
    set { values.googleAppID = newValue }
  }
  /// `DATABASE_URL`. Kept, not used.
  open var databaseURL: String? {
    get { values.databaseURL }
    set { values.databaseURL = newValue }
  }
  /// `STORAGE_BUCKET`. Kept, not used.
  open var storageBucket: String? {
    get { values.storageBucket }
    set { values.storageBucket = newValue }
  }
  /// The app group whose keychain items are shared. Kept, not used.
  open var appGroupID: String? {
    get { values.appGroupID }
    set { values.appGroupID = newValue }
  }

  /// `GATEHOUSE_URL`: the server's address, like `https://auth.example.com`. Gatehouse's own key.
  ///
  /// Without it every call fails, unless `Auth.useEmulator(withHost:port:)` names a server.
  open var serverURL: URL? {
    get { values.serverURL }
    set { values.serverURL = newValue }
  }

  /// Whether `Auth` listens to the server while the app is active. If so, the user is signed out as soon as the
  /// account is deleted or disabled elsewhere or the session is ended, and a changed profile is read again. If
  /// not, the next refresh finds out that the session has ended. Gatehouse's own option, on by default.
  open var listensForChanges: Bool {
    get { values.listensForChanges }
    set { values.listensForChanges = newValue }
  }

  /// The app's registration at Firebase, if users of a version with Google's SDK have to stay signed in: the
  /// keys `FORMER_GOOGLE_APP_ID` and `FORMER_API_KEY`. Gatehouse's own option.
  open var formerFirebaseApp: FormerFirebaseApp? {
    get { values.formerFirebaseApp }
    set { values.formerFirebaseApp = newValue }
  }

  /// Whether the user stays signed in if the app is deleted and installed again: by default not, with Firebase's
  /// SDK yes (`.keepSession`). Only for sessions in a keychain without an access group. Gatehouse's own option.
  open var reinstallation: Reinstallation {
    get { values.reinstallation }
    set { values.reinstallation = newValue }
  }

  /// Options with the same values are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? FirebaseOptions)?.values == values
  }

  open override var hash: Int { values.hashValue }

  /// The configuration of the client.
  ///
  /// - Throws: `ConfigurationFault` without a server or an API key, or if the server's URL isn't
  ///   `https` or an `http` URL of this machine.
  public func clientConfiguration() throws(ConfigurationFault) -> ClientConfiguration {
    try values.clientConfiguration()
  }
}
