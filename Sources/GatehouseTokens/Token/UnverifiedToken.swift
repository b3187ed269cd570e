import GatehouseJSON

/// A token of which nothing but the form is known to be right.
///
/// Shows what is needed to choose a key, and no claim that could decide anything else. Becomes a
/// ``VerifiedToken`` through ``TokenVerifier``.
public struct UnverifiedToken: Sendable {
  let jws: UnverifiedJWS
  let claims: Claims

  public var header: TokenHeader { jws.header }

  /// What the token claims as `iss`: **only to choose among configured key sets**.
  ///
  /// Anyone can write anything here. It must not choose an issuer that isn't configured, and must
  /// not be fetched from.
  public var unverifiedIssuer: String? { claims.string("iss") }

  /// Takes a token apart and reads its claims.
  ///
  /// - Throws: ``TokenError`` as ``UnverifiedJWS`` does, or with
  ///   ``TokenError/Code/payload`` unless the payload is one JSON object without duplicate members.
  public init(_ compact: [UInt8], limits: TokenLimits = .standard) throws(TokenError) {
    try self.init(jws: try UnverifiedJWS(compact, limits: limits), limits: limits)
  }

  public init(_ compact: String, limits: TokenLimits = .standard) throws(TokenError) {
    try self.init(jws: try UnverifiedJWS(compact, limits: limits), limits: limits)
  }

  init(jws: UnverifiedJWS, limits: TokenLimits) throws(TokenError) {
    self.jws = jws
    do throws(JSONError) {
      claims = Claims(json: try JSONObject(parsing: jws.payload, limits: limits.payload))
    } catch {
      throw TokenError(.payload)
    }
  }
}
