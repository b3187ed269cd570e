import Foundation
package import GatehouseProtocol

/// A secret of Standard Webhooks: `whsec_` and the base64 of 24 to 64 random bytes.
package struct WebhookSecret: Sendable {
  private static let mark = "whsec_"
  private static let byteCounts = 24...64

  /// The key of the HMAC.
  package let bytes: Secret<[UInt8]>

  /// Returns nil for a text that isn't such a secret.
  package init?(_ text: Secret<String>) {
    let text = text.reveal()
    guard text.utf8.count <= 256, text.utf8.starts(with: Self.mark.utf8),
      let data = Data(base64Encoded: String(text.dropFirst(Self.mark.count))),
      Self.byteCounts.contains(data.count)
    else { return nil }
    bytes = Secret(Array(data))
  }

  private init(bytes: [UInt8]) { self.bytes = Secret(bytes) }

  /// 32 random bytes.
  package static func random() -> WebhookSecret {
    var generator = SystemRandomNumberGenerator()
    return WebhookSecret(bytes: generator.bytes(32))
  }

  package var text: Secret<String> {
    Secret(Self.mark + Data(bytes.reveal()).base64EncodedString())
  }
}
