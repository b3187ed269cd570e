package import GatehouseProtocol
import GatehouseTokens

package import struct Foundation.Date
package import struct Foundation.TimeInterval

/// One piece of work that follows from a committed transaction, such as a revocation at a provider.
///
/// The transaction that causes the work stores the entry. A background worker executes it until it
/// succeeds or is given up, also after a restart. The server can crash after the work and before it
/// records the success. Then the entry is executed again, so its work must have the same effect when
/// it is repeated. An authorization code is the exception: it works once, so its tokens are lost then.
package struct OutboxEntry: Sendable {
  package let id: OutboxID
  package let project: ProjectID
  package let task: OutboxTask
  /// Entries of a project with the same key are executed one after the other, in the order in which
  /// they were stored. The next one begins when the one before succeeds or is given up.
  package let orderKey: String
  package let createdAt: Date
  /// The time of the next attempt. While an attempt runs, this is the time from which another worker
  /// may take the entry over.
  package var dueAt: Date
  /// How many attempts have begun since the entry was stored, or since an operator restarted it.
  package var attempts: Int
  /// Why the last attempt failed; for operators. Contains no secret.
  package var lastError: String?
  /// When an operator last restarted the entry.
  package var retriedAt: Date?
  /// When the entry was given up. It stays in the list for 30 days, unless an operator retries or
  /// drops it.
  package var failedAt: Date?

  package init(
    id: OutboxID = .random(), project: ProjectID, task: OutboxTask, orderKey: String,
    createdAt: Date
  ) {
    self.id = id
    self.project = project
    self.task = task
    self.orderKey = orderKey
    self.createdAt = createdAt
    dueAt = createdAt
    attempts = 0
  }

  /// How long work is attempted, except code exchanges and emails. Seconds: two weeks.
  package static let maximumSeconds: TimeInterval = 14 * 86_400

  /// The order key of work at a provider for an account.
  package static func orderKey(of uid: UID, _ provider: ProviderID) -> String {
    "\(uid.text) \(provider.text)"
  }

  package var receiver: OutboxReceiver {
    OutboxReceiver(project: project, name: task.provider?.text ?? task.hook?.text ?? "none")
  }

  /// The entry is given up if it has not succeeded by this time.
  package var expiresAt: Date {
    task.deadline(from: retriedAt ?? createdAt)
  }
}

/// Names an entry to operators: 22 characters of base64url, almost 128 random bits.
package struct OutboxID: ByteExact {
  package let text: String

  /// Returns nil unless `text` has 1 to 64 bytes of base64url's alphabet.
  package init?(_ text: String) {
    let isAllowed = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
    self.text = text
  }

  private init(checked text: String) { self.text = text }

  package static func random() -> OutboxID {
    var generator = SystemRandomNumberGenerator()
    while true {
      let text = Base64URL.encode(generator.bytes(16))
      // A command would take such an argument for an option.
      if text.utf8.first != UInt8(ascii: "-") { return OutboxID(checked: text) }
    }
  }
}
