/// Why an account wasn't deleted: a case for each step.
///
/// Run ``AccountManager/deleteAccount(reauthenticatingWith:options:)`` again: what is done is
/// skipped. What to tell the person is in ``text(in:)``.
public enum DeletionError: Error, Sendable, Hashable {
  /// Nobody is signed in, the session is over, or the server wasn't reached. Nothing was begun.
  case prepare(Failure)
  case reauthenticateApple(Failure)
  case reauthenticateGoogle(Failure)
  /// By another way; also where the device has none: the cause is then
  /// ``ClientError/needsRecentSignIn(providers:)``.
  case reauthenticate(Provider, Failure)
  case revokeApple(Failure)
  case revokeGoogle(Failure)
  case delete(Failure)

  public struct Failure: Sendable, Hashable {
    public var cause: AccountError
    /// What was done, in this call and earlier ones: it isn't done again.
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

  /// What failed.
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
