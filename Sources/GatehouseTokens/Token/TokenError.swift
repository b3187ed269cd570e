/// Why a token was refused: what was wrong, what was expected and what was received.
///
/// `==` compares everything. ``description`` holds only the code and its explanation, so it is safe
/// to log. The other properties may hold values from the token: use them only in the response to
/// the caller that presented it.
public struct TokenError: Error, Sendable, Hashable, CustomStringConvertible {
  public let code: Code

  /// The accepted values. If `exp`, `iat` or `nbf` is not accepted, the time of the check. Empty if there
  /// is no short form.
  public let expected: [String]

  /// The token's values; for `Code.keyRefused` and `Code.keyUse` what is wrong with the key. Empty if the values were absent or are not
  /// disclosed.
  public let received: [String]

  /// The token's claims, if and only if its signature was verified before this error.
  ///
  /// The issuer signed them, but the token is not accepted: use them for the text of a response,
  /// never to sign a user in.
  public let verifiedClaims: Claims?

  public init(
    _ code: Code, expected: [String] = [], received: [String] = [], verifiedClaims: Claims? = nil
  ) {
    self.code = code
    self.expected = expected
    self.received = received
    self.verifiedClaims = verifiedClaims
  }

  public var description: String { "\(code.rawValue): \(code.explanation)" }

  /// The same error, with the claims of a token whose signature is valid.
  func with(verifiedClaims: Claims) -> TokenError {
    TokenError(
      code, expected: expected, received: received, verifiedClaims: verifiedClaims)
  }
}
