package import Foundation
package import GatehouseProtocol
import Synchronization

/// Keeps emails instead of sending them, in memory: for `--dev`.
package final class DevelopmentMailbox: Mailer {
  package struct Received: Sendable {
    package let project: ProjectID
    package let kind: MailKind
    package let message: MailMessage
    /// Nil for a notice.
    package let link: Secret<String>?
    /// Six digits; nil if the email has none.
    package let code: Secret<String>?
  }

  /// Older emails are dropped.
  package static let maximumCount = 200

  private let writer: MailWriter
  private let clock: @Sendable () -> Date
  private let received = Mutex<[Received]>([])

  package init(writer: MailWriter, clock: @escaping @Sendable () -> Date) {
    self.writer = writer
    self.clock = clock
  }

  package func send(_ order: MailOrder) async -> MailResult {
    let message: MailMessage
    do throws(MailboxFault) {
      message = try writer.message(for: order, now: clock())
    } catch {
      return .failed("an address of this email can't be used: \(error)")
    }
    received.withLock { received in
      received.append(
        Received(
          project: order.project.id, kind: order.task.kind, message: message,
          link: order.task.code?.link, code: order.task.code?.digits))
      if received.count > Self.maximumCount { received.removeFirst() }
    }
    return .sent
  }

  /// The emails of a project, latest first.
  package func messages(of project: ProjectID) -> [Received] {
    received.withLock { $0.reversed().filter { $0.project == project } }
  }

  package func removeAll(of project: ProjectID) {
    received.withLock { $0.removeAll { $0.project == project } }
  }
}
