/// What to do with keychain items of an earlier installation: iOS removes an app's files with the
/// app, but not its keychain items.
public enum Reinstallation: Sendable, Hashable {
  /// The first launch after an installation forgets the items of an earlier one: a user who deletes
  /// an app wants to be signed out on the device. This doesn't end the session on the server.
  ///
  /// A file in the app's own Application Support folder (on tvOS, an entry of the user defaults) shows whether
  /// this is the first launch: both are removed with the app. Items of an access group are kept, because other
  /// apps use them too.
  case startSignedOut
  /// Keeps the user signed in, as Firebase's SDK does.
  case keepSession
}
