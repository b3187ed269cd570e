import GatehouseProtocol

/// A compact JWS (RFC 7515 §3.1) of which only the form is checked.
///
/// The payload may be anything. For tokens with claims see ``UnverifiedToken``.
public struct UnverifiedJWS: Sendable {
  public let header: TokenHeader

  /// What was signed: the bytes before the second dot.
  let signingInput: ArraySlice<UInt8>
  let payload: [UInt8]
  let signature: [UInt8]

  /// Parses a token.
  ///
  /// - Throws: ``TokenError`` with ``TokenError/Code/tooLong``, `segments`, `base64URL`,
  ///   `emptySignature`, `header`, `criticalHeader` or `algorithmUnsupported`.
  public init(_ compact: [UInt8], limits: TokenLimits = .standard) throws(TokenError) {
    let parts = try CompactParts(compact, limits: limits)
    header = try TokenHeader(parts.header)
    payload = parts.payload
    signature = parts.signature
    signingInput = parts.signingInput
  }

  public init(_ compact: String, limits: TokenLimits = .standard) throws(TokenError) {
    guard compact.utf8.count <= limits.bytes else { throw TokenError(.tooLong) }
    try self.init(Array(compact.utf8), limits: limits)
  }
}

/// The parts of a compact JWS, decoded, with a header that has no critical extension.
struct CompactParts: Sendable {
  let header: JSONObject
  /// What was signed: the bytes before the second dot.
  let signingInput: ArraySlice<UInt8>
  let payload: [UInt8]
  let signature: [UInt8]

  init(_ compact: [UInt8], limits: TokenLimits) throws(TokenError) {
    guard compact.count <= limits.bytes else { throw TokenError(.tooLong) }
    let dot = UInt8(ascii: ".")
    guard let first = compact.firstIndex(of: dot),
      let second = compact[(first + 1)...].firstIndex(of: dot),
      !compact[(second + 1)...].contains(dot)
    else { throw TokenError(.segments) }

    guard second + 1 < compact.count else { throw TokenError(.emptySignature) }
    let all = compact[...]
    let bytes = all.span
    guard let header = Base64URL.decode(bytes.extracting(0..<first)),
      let payload = Base64URL.decode(bytes.extracting((first + 1)..<second)),
      let signature = Base64URL.decode(bytes.extracting((second + 1)..<bytes.count))
    else { throw TokenError(.base64URL) }

    do throws(JSONError) {
      self.header = try JSONObject(parsing: header, limits: limits.header)
    } catch {
      throw TokenError(.header)
    }
    // "If any of the listed extension Header Parameters are not understood and supported by the
    // recipient, then the JWS is invalid" (§4.1.11). None is supported, so any `crit` is refused.
    guard self.header["crit"] == nil else { throw TokenError(.criticalHeader) }
    self.payload = payload
    self.signature = signature
    signingInput = compact[..<second]
  }
}

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
