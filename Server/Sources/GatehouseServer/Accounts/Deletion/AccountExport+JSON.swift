import Foundation
import GatehouseProtocol
import GatehouseTokens

extension AccountExport {
  /// The version of ``json``'s form.
  private static let format = "gatehouse-account/1"

  /// The document that a user or an administrator receives. Times are RFC 3339 in UTC. Secrets
  /// (password hashes, tokens) are left out; the document says that they exist.
  package var json: [UInt8] {
    var writer = JSONWriter(reservingCapacity: 4096)
    writer.object { document in
      document.member("format", Self.format)
      document.member("issuer", project.issuer)
      document.time("exportedAt", exportedAt)
      document.object("account") { Self.write(account, to: &$0) }
      document.array("identities") { list in
        for identity in account.identities { list.object { Self.write(identity, to: &$0) } }
      }
      document.array("secondFactors") { list in
        for factor in account.secondFactors?.factors ?? [] {
          list.object { MFAEnrollment(factor, isObfuscated: false).writeMembers(to: &$0) }
        }
      }
      document.array("passkeys") { list in
        for passkey in passkeys { list.object { Self.write(passkey, to: &$0) } }
      }
      document.array("sessions") { list in
        for session in sessions { list.object { Self.write(session, to: &$0) } }
      }
      document.array("consents") { list in
        for consent in consents {
          list.object {
            $0.member("version", consent.version)
            $0.member("joins", consent.joins.map(\.name))
            $0.time("givenAt", consent.givenAt)
          }
        }
      }
      document.array("providerTokens") { list in
        for token in providerTokens {
          list.object {
            $0.member("provider", token.provider.text)
            $0.member("clientId", token.clientID)
            $0.time("obtainedAt", token.obtainedAt)
            $0.time("checkedAt", token.checkedAt)
          }
        }
      }
      document.member("queuedWork", queued.map(\.rawValue))
      document.array("events") { list in
        for event in events { list.object { write(event, to: &$0) } }
      }
    }
    return writer.bytes
  }

  private static func write(_ account: Account, to object: inout JSONWriter) {
    object.member("id", account.uid.text)
    object.member("email", ifPresent: account.email?.text)
    object.member("emailVerified", account.isEmailVerified)
    object.time("emailVerifiedAt", account.emailVerifiedAt)
    object.member("displayName", ifPresent: account.displayName)
    object.member("photoUrl", ifPresent: account.photoURL)
    object.member("initialEmail", ifPresent: account.initialEmail?.text)
    object.member("phoneNumber", ifPresent: account.phoneNumber)
    object.time("phoneLinkedAt", account.phoneLinkedAt)
    object.time("phoneUnconfirmedSince", account.phoneUnconfirmedSince)
    object.member("hasPassword", account.password != nil)
    object.time("passwordUpdatedAt", account.passwordUpdatedAt)
    object.member("hasEmailLink", account.hasEmailLink)
    object.member("isCustom", account.isCustom)
    object.member("isDisabled", account.isDisabled)
    object.time("deletionScheduledFor", account.deletionScheduledFor)
    object.member("setByAdministrator", account.assignedFields.names)
    if let claims = account.customClaims {
      object.member("customClaims", raw: claims.jsonText.utf8)
    }
    object.time("createdAt", account.createdAt)
    object.time("importedAt", account.importedAt)
    object.time("lastLoginAt", account.lastLoginAt)
    object.time("lastRefreshAt", account.lastRefreshAt)
    object.member("language", ifPresent: account.language)
    object.time("validSince", account.validSince)
    object.time("revokedAt", account.revokedAt)
    object.member(
      "recoveryCodesLeft", ifPresent: account.secondFactors.map { Int64($0.recoveryCodes.count) })
  }

  private static func write(_ identity: LinkedIdentity, to object: inout JSONWriter) {
    object.member("provider", identity.provider.text)
    object.member("subject", identity.subject.text)
    object.member("issuer", ifPresent: identity.issuer)
    object.member("email", ifPresent: identity.email?.text)
    object.member("displayName", ifPresent: identity.displayName)
    object.member("photoUrl", ifPresent: identity.photoURL)
    object.member("screenName", ifPresent: identity.screenName)
    object.member("isPrivateEmail", ifPresent: identity.isPrivateEmail)
    object.member("realUserStatus", ifPresent: identity.realUserStatus.map { Int64($0.rawValue) })
    object.member(
      "realUserStatusFromApp",
      ifPresent: identity.realUserStatusFromApp.map { Int64($0.rawValue) })
    object.time("linkedAt", identity.linkedAt)
    object.time("unconfirmedSince", identity.unconfirmedSince)
    object.time("revocationRequestedAt", identity.revocationRequestedAt)
    object.member("isForwardingDisabled", ifPresent: identity.isForwardingDisabled)
    object.time("forwardingChangedAt", identity.forwardingChangedAt)
    object.time("consentRevokedAt", identity.consentRevokedAt)
  }

  private static func write(_ passkey: Passkey, to object: inout JSONWriter) {
    object.member("name", passkey.name)
    object.member("credentialId", Base64URL.encode(passkey.credentialID))
    object.member("userHandle", Base64URL.encode(passkey.userHandle))
    object.member("algorithm", passkey.algorithm)
    object.member("signCount", Int64(passkey.signCount))
    object.member("isBackupEligible", passkey.isBackupEligible)
    object.member("isBackedUp", passkey.isBackedUp)
    object.member("transports", passkey.transports)
    object.member("aaguid", ifPresent: passkey.aaguid?.uuidString.asciiLowercased)
    object.time("createdAt", passkey.createdAt)
    object.time("lastUsedAt", passkey.lastUsedAt)
    object.time("unconfirmedSince", passkey.unconfirmedSince)
  }

  private static func write(_ session: Session, to object: inout JSONWriter) {
    object.member("provider", session.provider.text)
    object.member("secondFactor", ifPresent: session.secondFactor?.method.rawValue)
    object.time("createdAt", session.createdAt)
    object.time("authenticatedAt", session.authenticatedAt)
    object.time("lastUsedAt", session.lastUsedAt)
    object.member("userAgent", ifPresent: session.device?.userAgent)
    object.member("app", ifPresent: session.device?.app)
    object.member("address", ifPresent: session.device?.address)
    object.member("name", ifPresent: session.device?.name)
    if let attributes = session.signInAttributes {
      object.member("signInAttributes", raw: attributes.jsonText.utf8)
    }
    if let claims = session.developerClaims {
      object.member("developerClaims", raw: claims.jsonText.utf8)
    }
  }
}

extension AccountExport {
  private func write(_ event: Event, to object: inout JSONWriter) {
    object.member("type", event.kind.rawValue)
    object.time("at", event.at)
    object.member("actor", isForUser ? event.actor.role : event.actor.text)
    object.object("details") { details in
      for (name, value) in event.details.sorted(by: { $0.key < $1.key }) {
        details.member(name, value)
      }
    }
    guard !isForUser || event.actor == .user else { return }
    object.member("address", ifPresent: event.source.address)
    object.member("userAgent", ifPresent: event.source.userAgent)
    object.member("app", ifPresent: event.source.app)
    object.member("request", ifPresent: event.source.request)
  }
}

extension JSONWriter {
  /// Left out if nil.
  fileprivate mutating func time(_ name: String, _ value: Date?) {
    member(name, ifPresent: value?.withMilliseconds)
  }
}

extension AssignedFields {
  fileprivate var names: [String] {
    let fields: [(AssignedFields, String)] = [
      (.displayName, "displayName"), (.photoURL, "photoUrl"), (.phoneNumber, "phoneNumber"),
    ]
    return fields.compactMap { contains($0.0) ? $0.1 : nil }
  }
}
