import Crypto
package import Foundation
package import GatehouseAccounts
package import GatehouseFederation
import GatehouseModel
package import Logging

/// Hands codes to a project's webhook, signed by Standard Webhooks.
///
/// An attempt takes as long as the transport allows; there are at most ``maximumAttempts``, and only
/// where another may help: no answer, 429, 5xx. All have the same `webhook-id`, by which a receiver
/// tells that it has sent the message already. What the receiver answers beyond its status isn't read.
package struct CodeWebhookSender: Sendable {
  private let transport: any OutboundTransport
  private let clock: @Sendable () -> Date
  private let sleep: @Sendable (Duration) async throws -> Void

  package static let maximumAttempts = 3
  private static let pauses: [Duration] = [.milliseconds(250), .seconds(1)]

  /// - Parameters:
  ///   - transport: Bounded in time, size and calls at once, and under the outbound rule.
  ///   - sleep: Between attempts.
  package init(
    transport: any OutboundTransport, clock: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.transport = transport
    self.clock = clock
    self.sleep = sleep
  }

  /// - Throws: ``CodeWebhookFault``, the last attempt's.
  package func send(
    _ event: CodeWebhookEvent, to webhook: CodeWebhook
  ) async throws(CodeWebhookFault) {
    guard let url = OutboundURL(webhook.url) else { throw .notSent(.malformedURL) }
    let id = Self.randomID()
    let body = event.body(now: clock())
    var attempt = 0
    while true {
      do throws(CodeWebhookFault) {
        return try await post(body, id: id, to: url, secret: webhook.secret)
      } catch {
        attempt += 1
        guard error.mayPass, attempt < Self.maximumAttempts, !Task.isCancelled else { throw error }
        do { try await sleep(Self.pauses[min(attempt, Self.pauses.count) - 1]) } catch {
          throw .notSent(.cancelled)
        }
      }
    }
  }

  private func post(
    _ body: Secret<[UInt8]>, id: String, to url: OutboundURL, secret: WebhookSecret
  ) async throws(CodeWebhookFault) {
    var request = OutboundRequest(url)
    request.content = OutboundRequest.Content(
      type: "application/json", bytes: body,
      headers: WebhookSignature.headers(
        id: id, body: body.reveal(), secret: secret, now: clock()))
    let response: OutboundResponse
    do throws(OutboundError) {
      response = try await transport.send(request)
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

/// Why a webhook didn't take an event over.
package enum CodeWebhookFault: Error, Hashable, Sendable, CustomStringConvertible {
  case notSent(OutboundError)
  case refused(status: Int)

  package var description: String {
    switch self {
    case .notSent(let error): error.description
    case .refused(let status): "the webhook answered with status \(status)"
    }
  }

  /// Whether another attempt may end differently.
  var mayPass: Bool {
    switch self {
    case .refused(let status): status == 429 || status >= 500
    case .notSent(.notConnected), .notSent(.broken), .notSent(.timedOut), .notSent(.busy),
      .notSent(.unresolvable):
      true
    case .notSent: false
    }
  }
}

/// What brings codes to telephones: the project's webhook, and in `--dev` the terminal.
package struct WebhookCodeDelivery: PhoneCodeDelivery {
  private let sender: CodeWebhookSender
  private let logger: Logger
  /// What is done where the project has no webhook: in `--dev` alone.
  private let show: (@Sendable (PhoneCodeMessage) -> Void)?
  /// Of the 32 calls that the whole server makes at once: a webhook that hangs leaves the others theirs.
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
    do {
      try await shares.run(for: message.project) {
        try await sender.send(.verificationCode(message), to: webhook)
      }
    } catch AccountsError.overloaded {
      logger.error(
        "a verification code was not sent: the project's webhook is slow, and too many calls wait for it",
        metadata: ["project": "\(message.project)", "webhook": "\(Self.host(of: webhook))"])
      throw PhoneCodeUndelivered()
    } catch {
      logger.error(
        """
        a verification code was not sent: the project's webhook did not take it; try it with \
        `gatehouse phone-numbers test`
        """,
        metadata: [
          "project": "\(message.project)", "webhook": "\(Self.host(of: webhook))",
          "error": "\(error)",
        ])
      throw PhoneCodeUndelivered()
    }
  }

  /// The path may hold what its receiver takes for a secret.
  private static func host(of webhook: CodeWebhook) -> String {
    OutboundURL(webhook.url)?.host ?? "malformed"
  }
}
