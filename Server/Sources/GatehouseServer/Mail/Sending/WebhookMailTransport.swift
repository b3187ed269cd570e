package import Foundation
import GatehouseProtocol

/// A program of the operator that sends emails, by the API of a mail provider for example.
package struct MailWebhook: Sendable {
  /// `https://…`, or `http` to this machine.
  package let url: OutboundURL
  /// Each signs every message.
  package let secrets: [WebhookSecret]

  package init(url: OutboundURL, secrets: [WebhookSecret]) {
    self.url = url
    self.secrets = secrets
  }
}

/// Passes emails to a webhook, signed as Standard Webhooks describes. Makes one attempt: the outbox
/// repeats it, with the same `webhook-id`.
package struct WebhookMailTransport: Sendable {
  private let webhook: MailWebhook
  private let outbound: any OutboundTransport
  private let clock: @Sendable () -> Date

  /// The longest time for which a receiver can stop all mail by `Retry-After`, in seconds.
  package static let maximumWait = 3600

  /// - Parameter outbound: Must limit time, size and concurrent calls, and apply the outbound rule.
  package init(
    to webhook: MailWebhook, by outbound: any OutboundTransport,
    clock: @escaping @Sendable () -> Date
  ) {
    self.webhook = webhook
    self.outbound = outbound
    self.clock = clock
  }

  package func send(_ message: MailMessage, _ order: MailOrder) async -> DeliveryResult {
    await post(MailEvent(message, order, now: clock()), id: "email_" + order.id.text)
  }

  /// An email of `gatehouse mail test`, which no user caused.
  ///
  /// - Parameter id: Unique.
  package func sendTest(_ message: MailMessage, id: String) async -> DeliveryResult {
    await post(MailEvent(test: message, now: clock()), id: "email_test_" + id)
  }

  private func post(_ event: MailEvent, id: String) async -> DeliveryResult {
    guard let body = try? event.body() else { return .permanent(code: 0, text: "not encodable") }
    let content = OutboundRequest.Content(
      type: "application/json", bytes: body,
      headers: WebhookSignature.headers(
        id: id, body: body.reveal(), secrets: webhook.secrets, now: clock()))
    do throws(OutboundError) {
      // The webhook is the operator's, for the emails of all projects. The outbox limits each one's.
      let request = OutboundRequest(message: content, to: webhook.url, of: nil)
      return DeliveryResult(try await outbound.send(request))
    } catch {
      return DeliveryResult(error)
    }
  }
}

extension DeliveryResult {
  /// Only the status counts: the body may contain anything.
  fileprivate init(_ response: OutboundResponse) {
    let status = response.status
    let text = "the webhook answered with status \(status)"
    switch status {
    case 200..<300: self = .delivered(reply: "\(status)")
    case 429, 503:
      guard let seconds = response.retryAfter, seconds > 0 else { fallthrough }
      self = .busy(seconds: min(seconds, WebhookMailTransport.maximumWait), text: text)
    case 408, 425, 500...: self = .temporary(code: status, text: text)
    // A wrong secret or address: the receiver refuses every email, and each must be kept and sent
    // again.
    case 300..<400, 401, 403, 404, 405: self = .misconfigured(text)
    default: self = .permanent(code: status, text: text)
    }
  }

  fileprivate init(_ error: OutboundError) {
    switch error {
    // The request may have arrived.
    case .broken, .timedOut, .tooLarge, .compressed, .cancelled: self = .unknown(error.description)
    case .busy, .unresolvable, .notConnected: self = .unreachable(error.description)
    case .malformedURL, .insecure, .refusedAddress, .certificate, .notTLS:
      self = .misconfigured(error.description)
    }
  }
}
