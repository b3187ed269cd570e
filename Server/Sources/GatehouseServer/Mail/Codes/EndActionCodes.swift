import Foundation
import GatehouseProtocol

extension Transaction {
  /// Ends the account's codes. A code that was requested before a change of password or address, or before
  /// the account's tokens were revoked, must not change the account afterwards.
  ///
  /// Recovery codes stay. Otherwise an attacker who stole an account could end them by a change of its
  /// password.
  func endActionCodes(of uid: UID, in project: ProjectID) throws {
    for purpose in ActionCode.Purpose.allCases where purpose != .emailRecovery {
      try deleteActionCodes(of: uid, for: purpose, since: nil, in: project)
    }
  }

  /// Ends all of the account's codes, recovery codes included. Call it when the account is taken over,
  /// deleted or replaced by an import, or when an administrator changes its address.
  func endEveryActionCode(of uid: UID, in project: ProjectID) throws {
    for purpose in ActionCode.Purpose.allCases {
      try deleteActionCodes(of: uid, for: purpose, since: nil, in: project)
    }
  }

  /// Releases the codes that were sent to an address which the account is about to give up: those for a new
  /// password and for a verification. Call it before the account's other codes end.
  ///
  /// The codes can change no account any more, also if the account gets the address back. Google's service
  /// reports such a code as one whose user doesn't exist, and not as invalid; see `account(of:in:)`.
  func releaseCodesOfFormerAddress(of uid: UID, in project: ProjectID) throws {
    for purpose in [ActionCode.Purpose.passwordReset, .emailVerification] {
      try releaseActionCodes(of: uid, for: purpose, in: project)
    }
  }

  /// Ends the account's codes for another address. Call it when sessions end that an attacker may have: a
  /// code that such a session requested must not change the account afterwards.
  ///
  /// A code does not say which session requested it. So the codes that other sessions of the account
  /// requested end too, also sessions that are over: an attacker may sign out after the request.
  func endEmailChanges(of uid: UID, in project: ProjectID) throws {
    try deleteActionCodes(of: uid, for: .emailChange, since: nil, in: project)
  }

  /// Ends the code, and all other codes of its purpose for the same account, or for the same address if
  /// there is no account.
  func useUp(_ code: ActionCode, in project: ProjectID) throws {
    if let uid = code.uid {
      try deleteActionCodes(of: uid, for: code.purpose, since: nil, in: project)
    } else {
      try deleteActionCodes(to: code.recipient, for: code.purpose, in: project)
    }
  }
}
