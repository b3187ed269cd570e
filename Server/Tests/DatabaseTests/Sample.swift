import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Values for the suite.
enum Sample {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  static var first: ProjectID { get throws { try #require(ProjectID("first-project")) } }
  static var second: ProjectID { get throws { try #require(ProjectID("second-project")) } }

  static func uid(_ text: String) throws -> UID { try #require(UID(text)) }

  static func subject(_ text: String) throws -> Subject { try #require(Subject(text)) }

  static func project(_ id: String) throws -> Project {
    Project(
      id: try #require(ProjectID(id)), number: .max, displayName: "A project",
      issuer: "https://auth.example.com/\(id)", authorizedDomains: ["example.com", "localhost"],
      policies: .development)
  }

  static func account(_ uid: String, subject: String? = nil) throws -> Account {
    var account = Account(uid: try Self.uid(uid), createdAt: now)
    if let subject { account.identities = [try identity(subject)] }
    return account
  }

  static func identity(_ subject: String, _ provider: ProviderID = .google) throws
    -> LinkedIdentity
  {
    LinkedIdentity(provider: provider, subject: try Self.subject(subject), linkedAt: now)
  }

  /// An account with a value in every field.
  static func fullAccount(_ uid: String) throws -> Account {
    var account = try account(uid)
    account.email = EmailAddress("\(uid)@example.com")
    account.isEmailVerified = true
    account.emailVerifiedAt = now.addingTimeInterval(0.25)
    account.assignedFields = [.displayName, .phoneNumber]
    account.displayName = "Zoë"
    account.photoURL = "https://example.com/photo"
    account.phoneNumber = "+15550100"
    account.phoneLinkedAt = now.addingTimeInterval(-2.25)
    account.phoneUnconfirmedSince = now.addingTimeInterval(-3.5)
    account.deletionScheduledFor = now.addingTimeInterval(86_400.5)
    account.language = "pt-BR"
    account.initialEmail = EmailAddress("first@example.com")
    account.password = PasswordHash(
      parameters: "scrypt$ln=15,r=8,p=3", salt: [0, 1, 255], digest: [9, 8, 7])
    account.passwordUpdatedAt = now.addingTimeInterval(1)
    account.customClaims = try CustomClaims(jsonText: #"{"role":"editor"}"#)
    account.isDisabled = true
    account.isCustom = true
    account.hasEmailLink = true
    account.lastLoginAt = now.addingTimeInterval(2.125)
    account.lastRefreshAt = now.addingTimeInterval(3)
    account.validSince = now.addingTimeInterval(4)
    account.importedAt = now.addingTimeInterval(5.5)
    account.revokedAt = now.addingTimeInterval(6.25)
    var factors = SecondFactors()
    factors.recoveryCodes = [RecoveryCode(digest: [1, 2, 3])]
    factors.factors = [
      SecondFactor(
        id: "factor of \(uid)", name: "Ännchen’s phone", enrolledAt: now.addingTimeInterval(7.125),
        kind: .phone(try #require(PhoneNumber("+15555550100")))),
      SecondFactor(
        id: "app of \(uid)", enrolledAt: now, kind: .totp(TOTP(secret: Secret([0, 1, 255])))),
    ]
    account.secondFactors = factors
    account.passkeys.all = 2
    account.passkeys.unconfirmed = 1
    var identity = try identity("subject of \(uid)")
    identity.issuer = "https://id.example.com"
    identity.unconfirmedSince = now.addingTimeInterval(-1.5)
    identity.email = EmailAddress("other@example.com")
    identity.displayName = "Zoe"
    identity.photoURL = "https://example.com/other"
    identity.screenName = "zoe"
    identity.isPrivateEmail = false
    identity.realUserStatus = .likelyReal
    identity.revocationRequestedAt = now.addingTimeInterval(-4.5)
    identity.isForwardingDisabled = true
    identity.forwardingChangedAt = now.addingTimeInterval(-5.5)
    identity.consentRevokedAt = now.addingTimeInterval(-6.5)
    account.identities = [identity, try Self.identity("subject of \(uid)", .apple)]
    return account
  }

  static func session(_ number: UInt64, of uid: String, at time: Date = now) throws -> Session {
    Session(
      id: SessionID(high: .max, low: number), uid: try Self.uid(uid), provider: .google,
      createdAt: time, authenticatedAt: time)
  }

  static func ending(_ reason: Session.Ending.Reason = .revoked) -> Session.Ending {
    Session.Ending(at: now.addingTimeInterval(60), reason: reason)
  }

  static func token(_ byte: UInt8, expiresAt: Date = now) -> SingleUseToken {
    SingleUseToken(digest: Array(repeating: byte, count: 32), expiresAt: expiresAt)
  }
}

/// Everything in a value, as text: for values that aren't equatable.
func contents(_ value: some Any) -> String {
  var text = ""
  dump(value, to: &text)
  return text
}
