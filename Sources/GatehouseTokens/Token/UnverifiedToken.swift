import GatehouseProtocol

/// A token of which only the form is checked.
///
/// It shows only what is needed to choose a key. ``TokenVerifier`` turns it into a
/// ``VerifiedToken``.
public struct UnverifiedToken: Sendable {
  let jws: UnverifiedJWS
  let claims: Claims

  public var header: TokenHeader { jws.header }

  /// The token's `iss`, not verified: use it **only to choose among configured key sets**.
  ///
  /// An attacker can write any text here. Don't accept an issuer that isn't configured, and don't
  /// fetch anything from this address.
  public var unverifiedIssuer: String? { claims.string("iss") }

  /// Parses a token and reads its claims.
  ///
  /// - Throws: ``TokenError`` as ``UnverifiedJWS`` does, or with ``TokenError/Code/payload`` if the
  ///   payload isn't a JSON object or has duplicate members.
  public init(_ compact: [UInt8], limits: TokenLimits = .standard) throws(TokenError) {
    try self.init(jws: try UnverifiedJWS(compact, limits: limits), limits: limits)
  }

  public init(_ compact: String, limits: TokenLimits = .standard) throws(TokenError) {
    try self.init(jws: try UnverifiedJWS(compact, limits: limits), limits: limits)
  }

  init(jws: UnverifiedJWS, limits: TokenLimits) throws(TokenError) {
    self.jws = jws
    claims = try Claims(parsing: jws.payload, limits: limits)
  }
}

extension Claims {
  /// - Throws: ``TokenError`` with ``TokenError/Code/payload``.
  init(parsing payload: [UInt8], limits: TokenLimits) throws(TokenError) {
    do throws(JSONError) {
      self.init(json: try JSONObject(parsing: payload, limits: limits.payload))
    } catch {
      throw TokenError(.payload)
    }
  }
}
