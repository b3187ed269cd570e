public import struct Foundation.TimeInterval

/// How to re-authenticate a user whose sign-in isn't recent.
public enum Reauthentication: Sendable {
  /// With the device's sheet for a linked provider: Apple's if it is shown for the revocation
  /// anyway, otherwise Google's, then Apple's, then a browser, then a saved password. If no password
  /// is saved, or the user closes the sheet of saved passwords, the cause of the error is
  /// ``ClientError/needsRecentSignIn(providers:)``, because the system doesn't distinguish the two.
  case automatic
  case by(Provider)
  /// With a credential that the app already has, such as a password. It is sent only if the sign-in
  /// isn't recent.
  case with(Credential)
  /// As ``automatic``, but if neither a sheet nor a browser is available, asks the app for a
  /// credential, such as a password, and offers no saved passwords. If the closure returns nil, the
  /// deletion is cancelled.
  case asking(@Sendable (_ providers: [Provider]) async -> Credential?)
}

/// How an account is deleted.
public struct DeletionOptions: Sendable, Hashable {
  public enum RevocationFailure: Sendable, Hashable {
    /// The account isn't deleted, and the error says why. Apple requires that its tokens are
    /// revoked.
    case stop
    /// The account is deleted anyway, and the receipt lists what wasn't revoked. Choose this for a
    /// release whose server can't revoke: the user's request to delete comes first. This includes a
    /// device on which the user can't revoke, because Apple's sheet fails or shows another Apple
    /// account. A network failure and a closed sheet still stop the deletion, and so does a sheet that
    /// fails to re-authenticate the user.
    case deleteAnyway
  }

  public var ifRevocationFails = RevocationFailure.stop
  /// The providers whose authorization of the app is revoked. An app that removes Apple from this
  /// set doesn't meet App Store Review Guideline 5.1.1(v).
  public var revoking: Set<Provider> = [.apple, .google]
  /// The project's limit for the age of a recent sign-in, less the time that the requests take: the server
  /// checks it when they arrive. In seconds. By default that of a project with the usual five minutes.
  public var recentSignIn: TimeInterval = 5 * 60 - 15

  public init() {}
}
