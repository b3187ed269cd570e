import GatehouseJSON

/// What is accepted of a token before anything of it is known to be true.
public struct TokenLimits: Sendable, Hashable {
  /// Length of the compact form, in bytes. Values over ``greatestBytes`` count as that.
  public var bytes: Int

  public init(bytes: Int) { self.bytes = min(bytes, Self.greatestBytes) }

  /// 16 KiB: providers' ID tokens are one to four.
  public static let standard = TokenLimits(bytes: 16 * 1024)

  public static let greatestBytes = 1 << 20

  /// Headers hold a few strings; a certificate chain (`x5c`, ignored) is the deepest.
  var header: JSONLimits { JSONLimits(bytes: bytes, depth: 8, values: 256) }

  var payload: JSONLimits { JSONLimits(bytes: bytes, depth: 16, values: 4096) }
}
