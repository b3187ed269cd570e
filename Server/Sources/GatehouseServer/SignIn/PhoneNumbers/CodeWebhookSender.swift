import Crypto
package import Foundation
import GatehouseProtocol
package import Logging

/// The webhook that receives a project's codes: the operator's own program, which passes the codes to
/// a service for text messages. Requests are signed as Standard Webhooks describes
/// (https://www.standardwebhooks.com).
package struct CodeWebhook: Sendable {
  /// `https://…`, or `http` to this machine.
  package let url: String
  /// Encrypted at rest.
  package let secret: WebhookSecret

  package init(url: String, secret: WebhookSecret) {
    self.url = url
    self.secret = secret
  }
}

/// Sends codes to a project's webhook, signed as Standard Webhooks describes.
///
/// The transport limits the time of an attempt. A failed attempt is repeated if there was no response,
/// or 429 or 5xx, up to ``maximumAttempts`` attempts. All attempts have the same
/// `webhook-id`, by which a receiver recognises a message that it has already sent. Only the status
/// of the receiver's response is used.
package struct CodeWebhookSender: Sendable {
  private let transport: any OutboundTransport
  private let clock: @Sendable () -> Date
  private let sleep: @Sendable (Duration) async throws -> Void

  package static let maximumAttempts = 3
  private static let pauses: [Duration] = [.milliseconds(250), .seconds(1)]

  /// - Parameters:
  ///   - transport: Must limit time, size and concurrent calls, and apply the outbound rule.
  ///   - sleep: Waits between attempts.
  package init(
    transport: any OutboundTransport, clock: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.transport = transport
    self.clock = clock
    self.sleep = sleep
  }

  /// - Throws: ``CodeWebhookFault`` of the last attempt.
  package func send(
    _ event: CodeWebhookEvent, to webhook: CodeWebhook
  ) async throws(CodeWebhookFault) {
    if let failure = await failure(of: event, to: webhook) { throw failure.fault }
  }

  struct Failure {
    /// That of the last attempt.
    var fault: CodeWebhookFault
    /// Whether the receiver certainly accepted the event in none of the attempts.
    var isUnsent: Bool
  }

  /// Sends an event.
  ///
  /// - Returns: Nil if an attempt succeeded.
  func failure(of event: CodeWebhookEvent, to webhook: CodeWebhook) async -> Failure? {
    var isUnsent = true
    guard let url = OutboundURL(webhook.url) else {
      return Failure(fault: .notSent(.malformedURL), isUnsent: true)
    }
    let id = Self.randomID()
    let body = event.body(now: clock())
    var attempt = 0
    while true {
      do throws(CodeWebhookFault) {
        try await post(body, id: id, to: url, secret: webhook.secret, of: event.project)
        return nil
      } catch {
        attempt += 1
        isUnsent = isUnsent && error.isUnsent
        guard error.mayPass, attempt < Self.maximumAttempts, !Task.isCancelled else {
          return Failure(fault: error, isUnsent: isUnsent)
        }
        do { try await sleep(Self.pauses[min(attempt, Self.pauses.count) - 1]) } catch {
          return Failure(fault: .notSent(.cancelled), isUnsent: isUnsent)
        }
      }
    }
  }

  private func post(
    _ body: Secret<[UInt8]>, id: String, to url: OutboundURL, secret: WebhookSecret,
    of project: ProjectID
  ) async throws(CodeWebhookFault) {
    let content = OutboundRequest.Content(
      type: "application/json", bytes: body,
      headers: WebhookSignature.headers(
        id: id, body: body.reveal(), secrets: [secret], now: clock()))
    let response: OutboundResponse
    do throws(OutboundError) {
      response = try await transport.send(
        OutboundRequest(message: content, to: url, of: project))
    } catch {
      throw .notSent(error)
    }
    guard (200..<300).contains(response.status) else { throw .refused(status: response.status) }
  }

  /// `msg_` and 128 random bits.
  private static func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    let numbers = (0..<2).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
    return "msg_" + numbers.map { String($0, radix: 36) }.joined()
  }
}

/// Why a webhook didn't accept an event.
package enum CodeWebhookFault: Error, Hashable, Sendable, CustomStringConvertible {
  case notSent(OutboundError)
  case refused(status: Int)

  package var description: String {
    switch self {
    case .notSent(let error): error.description
    case .refused(let status): "the webhook responded with status \(status)"
    }
  }

  /// Whether another attempt may succeed.
  var mayPass: Bool {
    switch self {
    case .refused(let status): status == 429 || status >= 500
    case .notSent(.notConnected), .notSent(.broken), .notSent(.timedOut), .notSent(.busy),
      .notSent(.unresolvable):
      true
    case .notSent: false
    }
  }

  /// Whether the receiver certainly didn't accept the event: it refused the event, or the request didn't
  /// reach it. After a 5xx or a broken connection the receiver may have sent the message nevertheless.
  var isUnsent: Bool {
    switch self {
    case .refused(let status): (400..<500).contains(status)
    case .notSent(.malformedURL), .notSent(.insecure), .notSent(.unresolvable),
      .notSent(.refusedAddress), .notSent(.notConnected), .notSent(.certificate),
      .notSent(.notTLS), .notSent(.busy):
      true
    case .notSent: false
    }
  }
}

/// Delivers codes: by the project's webhook, or with `--dev` on the terminal.
package struct WebhookCodeDelivery: PhoneCodeDelivery {
  private let sender: CodeWebhookSender
  private let logger: Logger
  /// Used if the project has no webhook: only with `--dev`.
  private let show: (@Sendable (PhoneCodeMessage) -> Void)?
  /// A limit per project, below its share of the calls to webhooks: a webhook that hangs must not keep
  /// the requests of more users waiting.
  private let shares = Shares<ProjectID>(limit: 12)

  package init(
    sender: CodeWebhookSender, logger: Logger,
    show: (@Sendable (PhoneCodeMessage) -> Void)? = nil
  ) {
    self.sender = sender
    self.logger = logger
    self.show = show
  }

  package var worksWithoutWebhook: Bool { show != nil }

  package func deliver(
    _ message: PhoneCodeMessage, by webhook: CodeWebhook?
  ) async throws(PhoneCodeUndelivered) {
    guard let webhook else {
      guard let show else { throw PhoneCodeUndelivered() }
      return show(message)
    }
    let failure: CodeWebhookSender.Failure?
    do {
      failure = try await shares.run(for: message.project) {
        await sender.failure(of: .verificationCode(message), to: webhook)
      }
    } catch {
      logger.error(
        "a verification code was not sent: the project's webhook is slow, and too many calls wait for it",
        metadata: ["project": "\(message.project)", "webhook": "\(Self.host(of: webhook))"])
      throw PhoneCodeUndelivered(isUnsent: true)
    }
    guard let failure else { return }
    logger.error(
      """
      a verification code was not sent: the project's webhook did not accept it; try it with \
      `gatehouse phone-numbers test`
      """,
      metadata: [
        "project": "\(message.project)", "webhook": "\(Self.host(of: webhook))",
        "error": "\(failure.fault)",
      ])
    throw PhoneCodeUndelivered(isUnsent: failure.isUnsent)
  }

  /// Only the host: the path may contain the receiver's secret.
  private static func host(of webhook: CodeWebhook) -> String {
    OutboundURL(webhook.url)?.host ?? "malformed"
  }
}
