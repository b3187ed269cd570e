/// What becomes of a keychain that outlived the app: iOS removes an app's files with it, but not what
/// it kept in the keychain.
public enum Reinstallation: Sendable, Hashable {
  /// The first launch after an installation forgets what an earlier one left: whoever deletes an app
  /// means to be gone from the device. The server's session isn't ended by it.
  ///
  /// Told by a file in the app's own Application Support folder, which goes with the app. Doesn't
  /// apply to items of an access group, which other apps use as well.
  case startSignedOut
  /// As Firebase's SDK does: still signed in.
  case keepSession
}
