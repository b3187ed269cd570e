package import GatehouseProtocol
import GatehouseTokens

package import struct Foundation.Date

/// Something that happened to an account or a setting: an entry of the event log.
///
/// The transaction that makes the change also stores the event: either both are committed or
/// neither is. Webhooks, watching apps and the audit log all use these events.
package struct Event: Hashable, Sendable {
  package let id: EventID
  /// Nil for a setting of the whole server.
  package let project: ProjectID?
  package let kind: EventKind
  /// The account; nil for an event about a setting.
  package let uid: UID?
  /// In whole milliseconds.
  package let at: Date
  package let actor: EventActor
  /// What exactly changed, such as the linked provider. Contains no secret and no personal data, so
  /// it stays in the log after the account was erased.
  package let details: [String: String]
  /// Erased with the account.
  package let source: EventSource

  package init(
    id: EventID = .random(), project: ProjectID?, kind: EventKind, uid: UID?, at: Date,
    actor: EventActor, details: [String: String] = [:], source: EventSource = EventSource()
  ) {
    self.id = id
    self.project = project
    self.kind = kind
    self.uid = uid
    self.at = at.wholeMilliseconds
    self.actor = actor
    self.details = details
    self.source = source
  }
}

extension Event {
  /// The details of ``EventKind/tokensRevoked`` if the account was taken over: earlier events are about
  /// another user.
  static let takeover = ["reason": "takeover"]
}

extension Sequence<Event?> {
  /// The events since the account has its present user, who must not learn what an earlier user did, from
  /// where and with which devices: an earlier user lost the account in a takeover, or deleted an account
  /// with the same id.
  ///
  /// The events of one account, newest first. Nil is an event that this version can't read. It may be the
  /// one by which the present user got the account, so no earlier event is returned.
  var ofPresentUser: [Event] {
    var events: [Event] = []
    for event in self {
      guard let event, event.kind != .deleted else { break }
      events.append(event)
      if event.kind == .tokensRevoked, event.details == Event.takeover { break }
    }
    return events
  }
}

/// Identifies an event for receivers and operators: `evt_` and 22 characters of base64url, 128
/// random bits.
package struct EventID: ByteExact {
  package let text: String

  private static let mark = "evt_"

  /// Returns nil for a text that isn't such an id.
  package init?(_ text: String) {
    guard text.utf8.starts(with: Self.mark.utf8),
      let bytes = Base64URL.decode(String(text.dropFirst(Self.mark.count))), bytes.count == 16
    else { return nil }
    self.text = text
  }

  private init(bytes: [UInt8]) { text = Self.mark + Base64URL.encode(bytes) }

  package static func random() -> EventID {
    var generator = SystemRandomNumberGenerator()
    return EventID(bytes: generator.bytes(16))
  }
}
