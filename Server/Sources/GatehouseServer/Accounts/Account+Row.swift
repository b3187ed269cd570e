import Foundation
import GatehouseProtocol
import GatehouseTokens

extension Account {
  init(_ row: SQLRow) throws {
    typealias Column = AccountColumn
    self.init(
      uid: try row.value(Column.uid, "account's id", UID.init),
      createdAt: row.time(Column.createdAt))
    email = try row.optionalEmail(Column.email)
    isEmailVerified = row.flag(Column.isEmailVerified)
    displayName = try row.optionalText(Column.displayName)
    photoURL = try row.optionalText(Column.photoURL)
    phoneNumber = try row.optionalText(Column.phoneNumber)
    if let parameters = try row.optionalText(Column.passwordParameters) {
      password = PasswordHash(
        parameters: parameters, salt: row.blob(Column.passwordSalt),
        digest: row.blob(Column.passwordDigest))
    }
    passwordUpdatedAt = row.optionalTime(Column.passwordUpdatedAt)
    if !row.isNull(Column.customClaims) {
      customClaims = try row.value(Column.customClaims, "set of custom claims") {
        try? CustomClaims(jsonText: $0)
      }
    }
    isDisabled = row.flag(Column.isDisabled)
    isCustom = row.flag(Column.isCustom)
    lastLoginAt = row.optionalTime(Column.lastLoginAt)
    lastRefreshAt = row.optionalTime(Column.lastRefreshAt)
    validSince = Date(
      timeIntervalSince1970: TimeInterval(row.integer(Column.validSinceSeconds)))
    hasEmailLink = row.flag(Column.hasEmailLink)
    emailVerifiedAt = row.optionalTime(Column.emailVerifiedAt)
    assignedFields = AssignedFields(rawValue: row.integer(Column.assignedFields))
    phoneLinkedAt = row.optionalTime(Column.phoneLinkedAt)
    phoneUnconfirmedSince = row.optionalTime(Column.phoneUnconfirmedSince)
    deletionScheduledFor = row.optionalTime(Column.deletionScheduledFor)
    language = try row.optionalText(Column.language)
    initialEmail = try row.optionalEmail(Column.initialEmail)
    importedAt = row.optionalTime(Column.importedAt)
    revokedAt = row.optionalTime(Column.revokedAt)
    passkeys.all = Int(clamping: row.integer(Column.passkeyCount))
    passkeys.unconfirmed = Int(clamping: row.integer(Column.unconfirmedPasskeys))
  }

  /// - Parameter sealedFactors: ``secondFactors``, encrypted.
  func value(_ column: AccountColumn, sealedFactors: [UInt8]?) -> SQLValue {
    switch column {
    case .uid: .text(uid.text)
    case .email: .optional(email?.text)
    case .isEmailVerified: .flag(isEmailVerified)
    case .displayName: .optional(displayName)
    case .photoURL: .optional(photoURL)
    case .phoneNumber: .optional(phoneNumber)
    case .passwordParameters: .optional(password?.parameters)
    case .passwordSalt: .optional(password?.salt)
    case .passwordDigest: .optional(password?.digest)
    case .passwordUpdatedAt: .optional(passwordUpdatedAt)
    case .customClaims: .optional(customClaims?.jsonText)
    case .isDisabled: .flag(isDisabled)
    case .isCustom: .flag(isCustom)
    case .createdAt: .time(createdAt)
    case .lastLoginAt: .optional(lastLoginAt)
    case .lastRefreshAt: .optional(lastRefreshAt)
    case .validSinceSeconds: .integer(validSince.secondsSince1970)
    case .hasEmailLink: .flag(hasEmailLink)
    case .emailVerifiedAt: .optional(emailVerifiedAt)
    case .assignedFields: .integer(assignedFields.rawValue)
    case .phoneLinkedAt: .optional(phoneLinkedAt)
    case .phoneUnconfirmedSince: .optional(phoneUnconfirmedSince)
    case .deletionScheduledFor: .optional(deletionScheduledFor)
    case .language: .optional(language)
    case .initialEmail: .optional(initialEmail?.text)
    case .importedAt: .optional(importedAt)
    case .revokedAt: .optional(revokedAt)
    case .secondFactors: .optional(sealedFactors)
    case .passkeyCount: .integer(Int64(passkeys.all))
    case .unconfirmedPasskeys: .integer(Int64(passkeys.unconfirmed))
    }
  }
}

extension LinkedIdentity {
  init(_ row: SQLRow) throws {
    typealias Column = IdentityColumn
    self.init(
      provider: try row.value(Column.provider, "identity's provider", ProviderID.init),
      subject: try row.value(Column.subject, "identity's subject", Subject.init),
      linkedAt: row.time(Column.linkedAt))
    email = try row.optionalEmail(Column.email)
    displayName = try row.optionalText(Column.displayName)
    photoURL = try row.optionalText(Column.photoURL)
    screenName = try row.optionalText(Column.screenName)
    isPrivateEmail = row.optionalFlag(Column.isPrivateEmail)
    issuer = try row.optionalText(Column.issuer)
    unconfirmedSince = row.optionalTime(Column.unconfirmedSince)
    revocationRequestedAt = row.optionalTime(Column.revocationRequestedAt)
    isForwardingDisabled = row.optionalFlag(Column.isForwardingDisabled)
    forwardingChangedAt = row.optionalTime(Column.forwardingChangedAt)
    consentRevokedAt = row.optionalTime(Column.consentRevokedAt)
    // A value from a later version that this version doesn't know is read as nil.
    if !row.isNull(Column.realUserStatus) {
      let stored = Int(clamping: row.integer(Column.realUserStatus))
      realUserStatus = RealUserStatus(rawValue: stored)
      realUserStatusFromApp = RealUserStatus(rawValue: stored &- Self.fromApp)
    }
  }

  /// Added to a status that the app sent: one column has either a signed status or the app's.
  private static let fromApp = 10

  func value(_ column: IdentityColumn) -> SQLValue {
    switch column {
    case .provider: .text(provider.text)
    case .subject: .text(subject.text)
    case .email: .optional(email?.text)
    case .displayName: .optional(displayName)
    case .photoURL: .optional(photoURL)
    case .screenName: .optional(screenName)
    case .isPrivateEmail: .optional(isPrivateEmail)
    case .linkedAt: .time(linkedAt)
    case .realUserStatus:
      .optional(
        (realUserStatus?.rawValue ?? realUserStatusFromApp.map { $0.rawValue + Self.fromApp })
          .map { Int64($0) })
    case .issuer: .optional(issuer)
    case .unconfirmedSince: .optional(unconfirmedSince)
    case .revocationRequestedAt: .optional(revocationRequestedAt)
    case .isForwardingDisabled: .optional(isForwardingDisabled)
    case .forwardingChangedAt: .optional(forwardingChangedAt)
    case .consentRevokedAt: .optional(consentRevokedAt)
    }
  }
}

extension SQLRow {
  fileprivate func optionalEmail(_ column: some SQLPosition) throws -> EmailAddress? {
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
