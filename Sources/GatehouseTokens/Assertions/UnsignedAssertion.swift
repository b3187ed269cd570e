public import struct Foundation.Date
import GatehouseJSON
import GatehouseModel

/// What stands in for a signed assertion where somebody believes they speak to an emulator: a token
/// whose `alg` is `none` without a signature, as Admin SDKs write it, or bare claims in JSON, as the
/// emulator takes them for tests.
///
/// Anybody can write one. It **MUST NOT** be read where an account is worth anything: that is
/// `--dev` alone, where anybody is an administrator anyway. A type of its own, so that it never
/// passes for a ``VerifiedAssertion``.
public struct UnsignedAssertion: Sendable {
  public let claims: Claims

  /// In whose name the Admin SDKs of every language write them.
  public static let issuer = "firebase-auth-emulator@example.com"

  /// Reads one. A token's claims are held to the rules of signed ones, except that any issuer is
  /// believed: tests make up service accounts.
  ///
  /// - Parameter text: Header and payload and nothing after the second dot; or a JSON object.
  /// - Returns: Nil for a token of any other form: it is for ``AssertionVerifier`` to judge.
  /// - Throws: ``TokenError`` for claims that a signed one couldn't have either, or JSON that can't be
  ///   read.
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
