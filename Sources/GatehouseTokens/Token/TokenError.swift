/// Why a token was refused: what was wrong, what was expected and what came.
///
/// `==` compares everything. ``description`` holds the code and its explanation alone, so it is safe
/// to log; the other properties may hold what the token says and are for answering its bearer.
public struct TokenError: Error, Sendable, Hashable, CustomStringConvertible {
  public let code: Code

  /// What would have been accepted; empty where that has no short form.
  public let expected: [String]

  /// What came instead; empty where it was absent or isn't told.
  public let received: [String]

  /// The token's claims, if and only if its signature was found good before this refusal.
  ///
  /// They are true but not acceptable: for the words of an answer, never to sign anybody in.
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

  /// The same refusal, with the claims of a token whose signature was good.
  func with(verifiedClaims: Claims) -> TokenError {
    TokenError(
      code, expected: expected, received: received, verifiedClaims: verifiedClaims)
  }
}
