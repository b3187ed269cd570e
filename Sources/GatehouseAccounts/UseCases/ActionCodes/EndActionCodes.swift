import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Ends the account's codes. A code that was requested before a change of password or address
  /// must not change the account afterwards.
  ///
  /// Recovery codes stay. Otherwise an attacker who stole an account could end them by changing its
  /// password.
  func endActionCodes(of uid: UID, in project: ProjectID) throws {
    for purpose in ActionCode.Purpose.allCases where purpose != .emailRecovery {
      try deleteActionCodes(of: uid, for: purpose, since: nil, in: project)
    }
  }

  /// Ends all of the account's codes, recovery codes included: the account was taken over, deleted,
  /// or changed by an administrator.
  func endEveryActionCode(of uid: UID, in project: ProjectID) throws {
    for purpose in ActionCode.Purpose.allCases {
      try deleteActionCodes(of: uid, for: purpose, since: nil, in: project)
    }
  }

  /// Ends the code, and all others of its purpose for the same account or address.
  func useUp(_ code: ActionCode, in project: ProjectID) throws {
    if let uid = code.uid {
      try deleteActionCodes(of: uid, for: code.purpose, since: nil, in: project)
    } else {
      try deleteActionCodes(to: code.recipient, for: code.purpose, in: project)
    }
  }
}
