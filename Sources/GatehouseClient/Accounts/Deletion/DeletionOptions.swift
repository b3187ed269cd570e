/// How a person proves again who they are, if their sign-in isn't recent.
public enum Reauthentication: Sendable {
  /// By a sheet of the device's, of any linked provider: Apple's if it is shown anyway for the
  /// revocation, else Google's, else Apple's, else a browser, else a saved password.
  case automatic
  case by(Provider)
  /// What the app has: a password that it asked for. Sent only if needed.
  case with(Credential)
  /// As ``automatic``, but asks the app where there is no sheet: for a password. Nil cancels.
  case asking(@Sendable (_ providers: [Provider]) async -> Credential?)
}

/// What an app can choose about the deletion of an account.
public struct DeletionOptions: Sendable, Hashable {
  public enum RevocationFailure: Sendable, Hashable {
    /// The account stays, and the error says why: Apple wants its tokens revoked.
    case stop
    /// The account is deleted all the same, and the receipt says what wasn't revoked. For a release
    /// whose server can't revoke: the person's wish comes first. Not where the network is to blame.
    case deleteAnyway
  }

  public var ifRevocationFails = RevocationFailure.stop
  /// Which providers are to forget the app. An app that takes Apple out of these doesn't do what
  /// App Store Review Guideline 5.1.1(v) asks for.
  public var revoking: Set<Provider> = [.apple, .google]
  /// How old a sign-in may be, as the project has it.
  public var recentSignIn: Duration = .seconds(5 * 60)

  public init() {}
}
