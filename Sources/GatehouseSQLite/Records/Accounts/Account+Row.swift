import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseTokens

extension Account {
  /// Reads the columns of ``AccountSQL/account``.
  init(_ row: SQLRow) throws {
    self.init(uid: try row.value(0, "account's id", UID.init), createdAt: row.time(13))
    email = try row.optionalEmail(1)
    isEmailVerified = row.flag(2)
    displayName = try row.optionalText(3)
    photoURL = try row.optionalText(4)
    phoneNumber = try row.optionalText(5)
    if let parameters = try row.optionalText(6) {
      password = PasswordHash(parameters: parameters, salt: row.blob(7), digest: row.blob(8))
    }
    passwordUpdatedAt = row.optionalTime(9)
    if !row.isNull(10) {
      customClaims = try row.value(10, "set of custom claims") {
        try? CustomClaims(jsonText: $0)
      }
    }
    isDisabled = row.flag(11)
    isCustom = row.flag(12)
    lastLoginAt = row.optionalTime(14)
    lastRefreshAt = row.optionalTime(15)
    validSince = Date(timeIntervalSince1970: TimeInterval(row.integer(16)))
    hasEmailLink = row.flag(17)
    emailVerifiedAt = row.optionalTime(18)
    assignedFields = AssignedFields(rawValue: row.integer(19))
    phoneLinkedAt = row.optionalTime(20)
    phoneUnconfirmedSince = row.optionalTime(21)
  }
}

extension LinkedIdentity {
  /// Reads the columns of ``AccountSQL/identities``.
  init(_ row: SQLRow) throws {
    self.init(
      provider: try row.value(0, "identity's provider", ProviderID.init),
      subject: try row.value(1, "identity's subject", Subject.init), linkedAt: row.time(7))
    email = try row.optionalEmail(2)
    displayName = try row.optionalText(3)
    photoURL = try row.optionalText(4)
    screenName = try row.optionalText(5)
    isPrivateEmail = row.optionalFlag(6)
    issuer = try row.optionalText(9)
    unconfirmedSince = row.optionalTime(10)
    // A value from a later version that this version doesn't know is read as nil.
    realUserStatus = row.isNull(8) ? nil : RealUserStatus(rawValue: Int(row.integer(8)))
  }
}

extension SQLRow {
  fileprivate func optionalEmail(_ column: Int32) throws -> EmailAddress? {
    isNull(column) ? nil : try value(column, "email address", EmailAddress.init)
  }
}

extension Date {
  /// Seconds since 1970, rounded down.
  var secondsSince1970: Int64 {
    let value = timeIntervalSince1970.rounded(.down)
    return Int64(exactly: value) ?? (value > 0 ? .max : .min)
  }
}
