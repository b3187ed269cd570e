package import Foundation
package import GatehouseProtocol

/// A signed statement of how far a project's chain reached at a time. An attacker who can write to
/// the database but doesn't have the master key can compute a new chain, but can't sign a
/// checkpoint for it.
package struct EventCheckpoint: Sendable {
  /// Nil for the server's own chain.
  package let project: ProjectID?
  package let end: EventChainEnd
  package let at: Date
  /// A JWS, signed by the ring `eventLog`. Its JSON has `project` (absent for the server's own chain),
  /// `number`, `digest` (base64url) and `iat`.
  package let token: String

  /// The header's `typ` (RFC 8725 §3.11, explicit typing).
  static let tokenType = "event-log-checkpoint+jwt"

  package init(project: ProjectID?, end: EventChainEnd, at: Date, token: String) {
    self.project = project
    self.end = end
    self.at = at
    self.token = token
  }
}
