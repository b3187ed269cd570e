import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Ends the account's codes: what was asked for before a password or an address changed is nothing
  /// that may still change the account.
  ///
  /// Those that take an address back stay: else whoever stole an account would end them by changing
  /// its password.
  func endActionCodes(of uid: UID, in project: ProjectID) throws {
    for purpose in ActionCode.Purpose.allCases where purpose != .emailRecovery {
      try deleteActionCodes(of: uid, for: purpose, since: nil, in: project)
    }
  }

  /// Ends all of the account's codes: it is another's now, or nobody's, or what an administrator made
  /// it.
  func endEveryActionCode(of uid: UID, in project: ProjectID) throws {
    for purpose in ActionCode.Purpose.allCases {
      try deleteActionCodes(of: uid, for: purpose, since: nil, in: project)
    }
  }

  /// Ends the code, and with it what it replaced.
  func useUp(_ code: ActionCode, in project: ProjectID) throws {
    if let uid = code.uid {
      try deleteActionCodes(of: uid, for: code.purpose, since: nil, in: project)
    } else {
      try deleteActionCodes(to: code.recipient, for: code.purpose, in: project)
    }
  }
}
