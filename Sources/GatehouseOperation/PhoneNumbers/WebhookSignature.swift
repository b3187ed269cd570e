import Crypto
import Foundation
import GatehouseAccounts
import GatehouseModel

/// The signature of Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): HMAC-SHA256 of the
/// message's id, the time in seconds and the body, joined by dots. It is written in base64 after
/// `v1,`.
enum WebhookSignature {
  /// `webhook-id`, `webhook-timestamp` and `webhook-signature`.
  static func headers(
    id: String, body: [UInt8], secret: WebhookSecret, now: Date
  ) -> [(name: String, value: Secret<String>)] {
    let timestamp = String(Int64(now.timeIntervalSince1970.rounded(.down)))
    let signed = Array("\(id).\(timestamp).".utf8) + body
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(signed), using: SymmetricKey(data: Data(secret.bytes.reveal())))
    return [
      ("webhook-id", Secret(id)), ("webhook-timestamp", Secret(timestamp)),
      ("webhook-signature", Secret("v1," + Data(code).base64EncodedString())),
    ]
  }
}
