public import struct Foundation.Date
import GatehouseProtocol

/// An assertion without a signature. Clients that believe they talk to the emulator send one in place of
/// a signed assertion. It is a token with the `alg` `none` and no signature, as Admin SDKs write it, or
/// bare claims in JSON, which the emulator accepts for tests.
///
/// Anyone can write such an assertion. It **MUST NOT** be accepted where an account has any value: only
/// `--dev` accepts it, where every caller is an administrator anyway. It is a separate type, so that it
/// can't be used in place of a ``VerifiedAssertion``.
public struct UnsignedAssertion: Sendable {
  public let claims: Claims

  /// The issuer in unsigned tokens of all Admin SDKs.
  public static let issuer = "firebase-auth-emulator@example.com"

  /// Reads an unsigned assertion. A token's claims must satisfy the rules for signed assertions,
  /// except that any issuer is accepted: tests invent service accounts. Bare claims aren't checked.
  ///
  /// - Parameter text: Header and payload with nothing after the second dot, or a JSON object.
  /// - Returns: Nil for any other text, and for a text longer than `limits`: ``AssertionVerifier``
  ///   decides about these.
  /// - Throws: ``TokenError`` for claims that a signed assertion can't have either, or for JSON
  ///   that can't be read.
  public init?(
    believingAnybody text: String, audiences: [String], now: Date,
    limits: TokenLimits = .standard
  ) throws(TokenError) {
    guard text.utf8.count <= limits.bytes else { return nil }
    if text.utf8.first == UInt8(ascii: "{") {
      guard let object = try? JSONObject(parsing: text, limits: limits.payload) else {
        throw TokenError(.payload)
      }
      claims = Claims(json: object)
      return
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].isEmpty, let header = Self.object(parts[0], limits.header),
      let algorithm = header["alg"]?.string, algorithm.hasSameBytes(as: "none"),
      header["crit"] == nil, let payload = Self.object(parts[1], limits.payload)
    else { return nil }
    claims = Claims(json: payload)
    let rules = AssertionVerifier(
      issuer: claims.string("iss") ?? Self.issuer, audiences: audiences, requiresSubject: true)
    _ = try rules.check(claims, now: now)
  }

  private static func object(_ part: Substring.UTF8View, _ limits: JSONLimits) -> JSONObject? {
    Base64URL.decode(Array(part)).flatMap { try? JSONObject(parsing: $0, limits: limits) }
  }
}
