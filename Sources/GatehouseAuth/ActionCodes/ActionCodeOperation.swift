/// What an action code is for.
public enum ActionCodeOperation: Int, Sendable, CaseIterable {
  case unknown = 0
  /// To choose a new password.
  case passwordReset = 1
  /// To verify an address.
  case verifyEmail = 2
  /// To undo a change of the address.
  case recoverEmail = 3
  /// To sign in.
  case emailLink = 4
  /// To verify a new address, which then replaces the old one.
  case verifyAndChangeEmail = 5
  /// To undo the addition of a second factor. The server sends no such code.
  case revertSecondFactorAddition = 6

  /// - Parameter requestType: The server's name, like `PASSWORD_RESET`.
  package init(requestType: String) {
    self = Self.allCases.first { $0.names?.requestType == requestType } ?? .unknown
  }

  /// - Parameter mode: The value in a link, like `resetPassword`.
  package init(mode: String) {
    self = Self.allCases.first { $0.names?.mode == mode } ?? .unknown
  }

  private var names: (requestType: String, mode: String)? {
    switch self {
    case .unknown: nil
    case .passwordReset: ("PASSWORD_RESET", "resetPassword")
    case .verifyEmail: ("VERIFY_EMAIL", "verifyEmail")
    case .recoverEmail: ("RECOVER_EMAIL", "recoverEmail")
    case .emailLink: ("EMAIL_SIGNIN", "signIn")
    case .verifyAndChangeEmail: ("VERIFY_AND_CHANGE_EMAIL", "verifyAndChangeEmail")
    case .revertSecondFactorAddition:
      ("REVERT_SECOND_FACTOR_ADDITION", "revertSecondFactorAddition")
    }
  }
}
