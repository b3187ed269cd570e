import GatehouseProtocol

/// Limits on a token that is not yet verified.
public struct TokenLimits: Sendable, Hashable {
  /// The greatest length of the compact form, in bytes.
  public var bytes: Int

  /// Values above ``greatestBytes`` are reduced to it.
  public init(bytes: Int) { self.bytes = min(bytes, Self.greatestBytes) }

  /// 16 KiB. Providers' ID tokens rarely have more than 4 KiB.
  public static let standard = TokenLimits(bytes: 16 * 1024)

  /// 1 MiB.
  public static let greatestBytes = 1 << 20

  /// Headers hold a few strings. The most deeply nested member is a certificate chain (`x5c`,
  /// which is ignored).
  var header: JSONLimits { JSONLimits(bytes: bytes, depth: 8, values: 256) }

  var payload: JSONLimits { JSONLimits(bytes: bytes, depth: 16, values: 4096) }
}
