/// The purpose of an action code: `requestType`.
///
/// The protocol lists more types, such as the obsolete `OLD_EMAIL_AGREE` and `NEW_EMAIL_ACCEPT`.
/// They have no case here. `RECOVER_EMAIL` has a case, but clients can't request it.
public enum ActionCodeType: Hashable, Sendable, CaseIterable {
  case passwordReset, emailVerification, emailRecovery, emailSignIn, emailChange

  public init?(_ enumerator: WireEnumerator) {
    let found = Self.allCases.first { enumerator.names($0.name, $0.number) }
    guard let found else { return nil }
    self = found
  }

  public var name: String { wire.name }
  private var number: Int64 { wire.number }

  private var wire: (name: String, number: Int64) {
    switch self {
    case .passwordReset: ("PASSWORD_RESET", 1)
    case .emailVerification: ("VERIFY_EMAIL", 4)
    case .emailRecovery: ("RECOVER_EMAIL", 5)
    case .emailSignIn: ("EMAIL_SIGNIN", 6)
    case .emailChange: ("VERIFY_AND_CHANGE_EMAIL", 7)
    }
  }
}
