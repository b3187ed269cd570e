import Crypto
import Foundation

/// Verifies that a request was sent by the server that has the hook's secret: Standard Webhooks 1.0.0
/// (https://www.standardwebhooks.com), "Verifying signatures".
struct WebhookVerifier: Sendable {
  private let key: SymmetricKey

  /// How far a request's time may differ from now: an older request may have been recorded and sent
  /// again. Seconds.
  static let toleranceSeconds: TimeInterval = 300

  /// Why a request isn't accepted.
  enum Refusal: Error {
    case headerMissing, tooOld, signature
  }

  /// - Parameter secret: `whsec_…`, as `gatehouse hooks add` showed it. Nil for another text.
  init?(secret: String) {
    let mark = "whsec_"
    guard secret.hasPrefix(mark),
      let bytes = Data(base64Encoded: String(secret.dropFirst(mark.count))),
      bytes.count >= 24
    else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// - Parameters:
  ///   - header: The value of a header.
  ///   - body: The bytes as they arrived. Parsed and written again, they could differ.
  func verify(
    header: (String) -> String?, body: [UInt8], now: Date
  ) throws(Refusal) {
    guard let id = header("webhook-id"), let time = header("webhook-timestamp"),
      let signatures = header("webhook-signature"), let seconds = Double(time)
    else { throw .headerMissing }
    guard abs(now.timeIntervalSince1970 - seconds) <= Self.toleranceSeconds else { throw .tooOld }
    let signed = Array("\(id).\(time).".utf8) + body
    // While the hook's secret is replaced, there are two signatures.
    let isGood = signatures.split(separator: " ").contains { signature in
      let parts = signature.split(separator: ",", maxSplits: 1)
      guard parts.count == 2, parts[0] == "v1", let code = Data(base64Encoded: String(parts[1]))
      else { return false }
      // Compares in constant time.
      return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key)
    }
    guard isGood else { throw .signature }
  }
}
