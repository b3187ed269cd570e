import Crypto
package import Foundation
package import GatehouseProtocol

/// The signature of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): HMAC-SHA256 of the
/// message's id, the time in seconds and the body, joined by dots. It is written in base64 after
/// `v1,`.
package enum WebhookSignature {
  /// The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
  ///
  /// - Parameter secrets: One secret; while it is replaced, the new one and the old one. A receiver
  ///   accepts a message if it knows one of them.
  package static func headers(
    id: String, body: [UInt8], secrets: [WebhookSecret], now: Date
  ) -> [(name: String, value: Secret<String>)] {
    let timestamp = String(Int64(now.timeIntervalSince1970.rounded(.down)))
    let signed = Data(Array("\(id).\(timestamp).".utf8) + body)
    let signatures = secrets.map { secret in
      let code = HMAC<SHA256>.authenticationCode(
        for: signed, using: SymmetricKey(data: Data(secret.bytes.reveal())))
      return "v1," + Data(code).base64EncodedString()
    }
    return [
      ("webhook-id", Secret(id)), ("webhook-timestamp", Secret(timestamp)),
      ("webhook-signature", Secret(signatures.joined(separator: " "))),
    ]
  }
}
