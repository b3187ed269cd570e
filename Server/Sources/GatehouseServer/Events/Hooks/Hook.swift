package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// A receiver of a project's events: a program of the team. Requests are signed as Standard Webhooks
/// describes (https://www.standardwebhooks.com).
package struct Hook: Sendable {
  package let id: HookID
  /// `https://…`, or `http` to this machine.
  package var url: String
  /// Empty: all events about accounts.
  package var kinds: Set<EventKind>
  /// Names that a later version stored. They are kept when the hook is saved.
  package var unknownKinds: [String] = []
  package var form: Form
  /// The newest first. The server signs every request with each of them: a receiver needs to know only
  /// one. Encrypted at rest.
  package var secrets: [WebhookSecret]
  /// A disabled hook gets nothing, and its waiting deliveries are given up.
  package var isEnabled: Bool
  package let createdAt: Date

  package enum Form: String, Sendable, CaseIterable {
    /// A JSON object with `type`, `timestamp`, `data`, and the security event token in `token`.
    case json
    /// The security event token alone, as RFC 8935 pushes it.
    case token
  }

  /// Two, so that the old secret stays valid while the receivers get the new one.
  package static let maximumSecrets = 2
  package static let maximumPerProject = 20

  package init(
    id: HookID = .random(), url: String, kinds: Set<EventKind> = [], form: Form = .json,
    secrets: [WebhookSecret], isEnabled: Bool = true, createdAt: Date
  ) {
    self.id = id
    self.url = url
    self.kinds = kinds
    self.form = form
    self.secrets = secrets
    self.isEnabled = isEnabled
    self.createdAt = createdAt
  }

  package var selection: HookSelection {
    HookSelection(
      id: id, kinds: kinds, hasOnlyUnknownKinds: kinds.isEmpty && !unknownKinds.isEmpty,
      isEnabled: isEnabled)
  }

  /// Signs with a new secret, and with the former one too until the next rotation.
  package mutating func rotateSecret(to secret: WebhookSecret) {
    secrets = Array(([secret] + secrets).prefix(Self.maximumSecrets))
  }
}

/// Which events a hook gets. Can be read without the hook's secrets.
package struct HookSelection: Sendable {
  package let id: HookID
  /// Empty: all events about accounts.
  package let kinds: Set<EventKind>
  /// Whether the hook selects only kinds that a later version knows: this version then sends it nothing.
  package let hasOnlyUnknownKinds: Bool
  package let isEnabled: Bool

  package init(
    id: HookID, kinds: Set<EventKind>, hasOnlyUnknownKinds: Bool = false, isEnabled: Bool
  ) {
    self.id = id
    self.kinds = kinds
    self.hasOnlyUnknownKinds = hasOnlyUnknownKinds
    self.isEnabled = isEnabled
  }

  package func selects(_ kind: EventKind) -> Bool {
    guard isEnabled, !hasOnlyUnknownKinds else { return false }
    return kinds.isEmpty ? kind.isAboutAccount : kinds.contains(kind)
  }

  /// Events about one account are delivered one after the other. So are all events about settings.
  package func orderKey(of uid: UID?) -> String { "\(id.text) \(uid?.text ?? "")" }
}

/// Names a hook to operators: `hook_` and 16 characters of base64url, 96 random bits.
package struct HookID: ByteExact {
  package let text: String

  private static let mark = "hook_"

  /// Returns nil for a text that isn't such an id.
  package init?(_ text: String) {
    guard text.utf8.starts(with: Self.mark.utf8),
      let bytes = Base64URL.decode(String(text.dropFirst(Self.mark.count))), bytes.count == 12
    else { return nil }
    self.text = text
  }

  private init(bytes: [UInt8]) { text = Self.mark + Base64URL.encode(bytes) }

  package static func random() -> HookID {
    var generator = SystemRandomNumberGenerator()
    return HookID(bytes: generator.bytes(12))
  }
}
