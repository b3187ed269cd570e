/// Why an account wasn't deleted: one case for each step.
///
/// Call ``AccountManager/deleteAccount(reauthenticatingWith:options:)`` again: completed steps are
/// skipped. ``text(in:)`` has a text to show to the user.
public enum DeletionError: Error, Sendable, Hashable {
  /// No user is signed in, the session has ended, the server wasn't reached, or another of the
  /// manager's flows is in progress. Nothing was started.
  case prepare(Failure)
  case reauthenticateApple(Failure)
  case reauthenticateGoogle(Failure)
  /// Re-authentication by another provider failed. If the device offers no way to re-authenticate,
  /// the cause is ``ClientError/needsRecentSignIn(providers:)``.
  case reauthenticate(Provider, Failure)
  case revokeApple(Failure)
  case revokeGoogle(Failure)
  case delete(Failure)

  public struct Failure: Sendable, Hashable {
    public var cause: AccountError
    /// The steps that this call completed, and the revocations of earlier calls. The next call doesn't
    /// repeat revocations.
    public var completed: [DeletionStep]

    public init(cause: AccountError, completed: [DeletionStep]) {
      self.cause = cause
      self.completed = completed
    }
  }

  init(_ step: DeletionStep, _ failure: Failure) {
    self =
      switch step {
      case .prepare: .prepare(failure)
      case .reauthenticate(.apple): .reauthenticateApple(failure)
      case .reauthenticate(.google): .reauthenticateGoogle(failure)
      case .reauthenticate(let provider): .reauthenticate(provider, failure)
      case .revoke(.apple): .revokeApple(failure)
      case .revoke: .revokeGoogle(failure)
      case .delete: .delete(failure)
      }
  }

  public var failure: Failure {
    switch self {
    case .prepare(let failure), .reauthenticateApple(let failure),
      .reauthenticateGoogle(let failure), .reauthenticate(_, let failure),
      .revokeApple(let failure), .revokeGoogle(let failure), .delete(let failure):
      failure
    }
  }

  /// The step that failed.
  public var step: DeletionStep {
    switch self {
    case .prepare: .prepare
    case .reauthenticateApple: .reauthenticate(.apple)
    case .reauthenticateGoogle: .reauthenticate(.google)
    case .reauthenticate(let provider, _): .reauthenticate(provider)
    case .revokeApple: .revoke(.apple)
    case .revokeGoogle: .revoke(.google)
    case .delete: .delete
    }
  }

  public var cause: AccountError { failure.cause }
  public var completed: [DeletionStep] { failure.completed }
}
