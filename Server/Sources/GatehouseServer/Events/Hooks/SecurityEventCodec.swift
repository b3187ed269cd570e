package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Writes events as security event tokens (RFC 8417), signed with the keys of ID tokens: receivers verify
/// them with the key set in the project's discovery document.
///
/// A token has neither `sub` nor `exp`, and its audience is the receiver's URL, so no verifier accepts it as
/// an ID token.
package struct SecurityEventCodec: Sendable {
  private let keys: any TokenKeys

  /// The header's `typ` (RFC 8417 §2.3).
  package static let tokenType = "secevent+jwt"

  package init(keys: any TokenKeys) { self.keys = keys }

  /// - Throws: The signer's error.
  package func token(
    of event: Event, to hook: Hook, in project: Project, now: Date
  ) throws -> String {
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", project.issuer)
      claims.string("aud", hook.url)
      claims.date("iat", now)
      claims.string("jti", event.id.text)
      claims.date("toe", event.at)
      if let uid = event.uid {
        claims.object("sub_id") { subject in
          subject.string("format", "iss_sub")
          subject.string("iss", project.issuer)
          subject.string("sub", uid.text)
        }
      }
      claims.object("events") { events in
        for type in event.standardTypes {
          events.object(type.uri) { members in
            if type.isOfCAEP {
              members.date("event_timestamp", event.at)
              members.string("initiating_entity", event.initiatingEntity)
            }
            for (name, value) in type.members.sorted(by: { $0.key < $1.key }) {
              members.string(name, value)
            }
          }
        }
        events.object(event.kind.uri) { members in
          members.string("actor", event.actor.text)
          for (name, value) in event.details.sorted(by: { $0.key < $1.key }) {
            members.string(name, value)
          }
        }
      }
    }
    let signer = keys.writer(project.policies.tokens.algorithm).signer
    return try TokenWriter(signer: signer, type: Self.tokenType).token(payload: payload)
  }
}

extension EventKind {
  /// The type of our own event. The namespace isn't registered; the name only has to be unique.
  package var uri: String { "urn:gatehouse:event:" + rawValue }
}

extension Event {
  /// A standard event type: its URI, and its members.
  struct StandardType: Hashable {
    let uri: String
    var isOfCAEP = false
    var members: [String: String] = [:]

    static func caep(_ name: String, _ members: [String: String] = [:]) -> StandardType {
      StandardType(
        uri: "https://schemas.openid.net/secevent/caep/event-type/" + name, isOfCAEP: true,
        members: members)
    }

    static func risc(_ name: String) -> StandardType {
      StandardType(uri: "https://schemas.openid.net/secevent/risc/event-type/" + name)
    }
  }

  /// The event types of OpenID CAEP 1.0 and OpenID RISC 1.0 for this event; empty if they have none.
  var standardTypes: [StandardType] {
    switch kind {
    case .tokensRevoked, .sessionEnded: [.caep("session-revoked")]
    case .passwordChanged:
      [
        .caep(
          "credential-change",
          [
            "credential_type": "password",
            "change_type": details["removed"] == nil ? "update" : "revoke",
          ])
      ]
    case .secondFactorAdded, .secondFactorRemoved:
      [
        .caep(
          "credential-change",
          [
            "credential_type": details["factor"] == "phone" ? "phone-sms" : "app",
            "change_type": kind == .secondFactorAdded ? "create" : "revoke",
          ])
      ]
    case .disabled: [.risc("account-disabled")]
    case .enabled: [.risc("account-enabled")]
    case .deleted: [.risc("account-purged")]
    // `credential-change` says whether a passkey is bound to its device, which the event doesn't.
    case .passkeyAdded, .passkeyRemoved, .passkeyCounterWentBack: []
    // `identifier-changed` and `token-claims-change` need the old address and the new claims, which
    // aren't in the event log.
    case .emailChanged, .claimsChanged, .accountCreated, .linked, .unlinked, .reauthenticated,
      .signedInOnNewDevice, .recoveryCodesChanged,
      .deletionScheduled, .deletionCancelled, .emailVerified, .profileChanged, .settingChanged:
      []
    }
  }

  /// `initiating_entity` of CAEP 1.0 §2, which defines `admin`, `user`, `policy` and `system`.
  fileprivate var initiatingEntity: String {
    switch actor {
    case .user: "user"
    case .administrator, .command: "admin"
    case .provider, .server: "system"
    }
  }
}
