import Crypto
package import Foundation
import GatehouseProtocol
package import Logging
import Synchronization

/// Sends queued emails to a mail server, or to a webhook.
///
/// If the mail server or webhook accepts no mail at all, all emails wait for a while. An overloaded
/// server then isn't asked again for each email, and a wrong password isn't sent a hundred times.
package final class QueuedMailer: Mailer {
  private let sendsToAppleRelay: Bool
  private let writer: MailWriter
  private let transport: Transport
  private let clock: @Sendable () -> Date
  private let logger: Logger
  private let pause = Mutex<(until: Date, reason: String)?>(nil)

  /// How long no email is sent after the server rejected all mail or couldn't be reached. Seconds.
  package static let pauseSeconds: TimeInterval = 30

  package typealias Transport =
    @Sendable (_ message: MailMessage, _ order: MailOrder) async -> DeliveryResult

  /// The domain of Apple's private relay, in lower case like every stored address.
  private static let relaySuffix = "@privaterelay.appleid.com"

  /// - Parameters:
  ///   - sendsToAppleRelay: Whether the sender is registered with Apple. Apple's relay rejects mail of
  ///     other senders.
  ///   - transport: `SMTPTransport.send(_:)`, or ``WebhookMailTransport/send(_:_:)``.
  package init(
    sendsToAppleRelay: Bool = true, writer: MailWriter,
    transport: @escaping Transport,
    clock: @escaping @Sendable () -> Date, logger: Logger
  ) {
    self.sendsToAppleRelay = sendsToAppleRelay
    self.writer = writer
    self.transport = transport
    self.clock = clock
    self.logger = logger
  }

  package func send(_ order: MailOrder) async -> MailResult {
    if !sendsToAppleRelay, order.task.recipient.text.hasSuffix(Self.relaySuffix) {
      return .failed("Apple's relay doesn't know the sender: see the setting mail.appleRelay")
    }
    let now = clock()
    if let pause = pause.withLock({ $0 }), now < pause.until {
      return .retry("mail waits: \(pause.reason)")
    }
    let message: MailMessage
    do throws(MailboxFault) {
      message = try writer.message(for: order, now: now)
    } catch {
      return .failed("an address of this email can't be used: \(error)")
    }
    let result = await transport(message, order)
    log(result, of: order)
    switch result {
    case .delivered:
      pause.withLock { $0 = nil }
      return .sent
    case .temporary(let code, let text):
      // "Service not available, closing transmission channel" (RFC 5321 §4.2.2).
      if code == 421 { wait(for: text) }
      return .retry(text)
    case .busy(let seconds, let text):
      wait(for: text, seconds: TimeInterval(seconds))
      return .retry(text)
    case .permanent(_, let text): return .failed(text)
    case .unreachable(let reason), .misconfigured(let reason):
      wait(for: reason)
      return .retry(reason)
    case .unknown(let reason): return .retry("\(reason); the email may have arrived")
    }
  }

  private func wait(for reason: String, seconds: TimeInterval = pauseSeconds) {
    let until = clock().addingTimeInterval(seconds)
    pause.withLock { $0 = (until, reason) }
  }

  private func log(_ result: DeliveryResult, of order: MailOrder) {
    let metadata: Logger.Metadata = [
      "kind": "\(order.task.kind.rawValue)", "project": "\(order.project.id)",
      "entry": "\(order.id)", "recipient": "\(Self.mark(of: order.task.recipient))",
    ]
    switch result {
    case .delivered: logger.info("an email was sent", metadata: metadata)
    case .misconfigured(let reason):
      logger.error(
        "the mail server takes no mail from this server", metadata: metadata.with("reason", reason))
    // A reply may quote a part of the recipient's address, so it is shown only in the outbox.
    case .temporary(let code, _), .permanent(let code, _):
      logger.warning(
        "the mail server refused an email", metadata: metadata.with("reply", "\(code)"))
    case .busy(_, let reason), .unreachable(let reason), .unknown(let reason):
      logger.warning("an email could not be sent", metadata: metadata.with("reason", reason))
    }
  }

  /// A mark that differs from one address to the next and doesn't show the address. A reader who
  /// guesses an address can check the guess with it.
  private static func mark(of address: EmailAddress) -> String {
    SHA256.hash(data: Data(address.text.utf8)).prefix(6)
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension Logger.Metadata {
  fileprivate func with(_ name: String, _ value: String) -> Logger.Metadata {
    merging([name: "\(value)"]) { _, new in new }
  }
}
