public import struct Foundation.Date

/// What every check says of a token, each on its own: for people who ask why a sign-in fails.
///
/// Unlike ``TokenVerifier``, doesn't stop at the first refusal, and shows claims whose signature is
/// bad. **Nothing may be decided by it** but what to tell a person. The token, the signature, nonces
/// and hashes of secrets don't appear.
public struct TokenExplanation: Sendable, Hashable {
  public let checks: [Check]

  /// Whether no check fails. Checks that didn't apply don't count.
  public var holds: Bool { !checks.contains { $0.verdict == .fail } }

  /// One check's outcome.
  public struct Check: Sendable, Hashable {
    public let name: String
    public let verdict: Verdict
    /// The refusal, if the verdict is ``Verdict/fail``.
    public let code: TokenError.Code?
    public let expected: String
    public let got: String
  }

  public enum Verdict: String, Sendable, Hashable {
    case pass
    case fail
    /// Doesn't apply, or can't be told because of what failed before.
    case skipped
  }

  /// What belongs to the request rather than to the policy.
  public struct Request: Sendable {
    /// The raw nonce.
    public var nonce: String?
    public var accessToken: String?
    public var code: String?
    public var nonceRule = NonceRule()

    public init(nonce: String? = nil, accessToken: String? = nil, code: String? = nil) {
      self.nonce = nonce
      self.accessToken = accessToken
      self.code = code
    }
  }

  /// Checks `token` as ``TokenVerifier`` with this policy would, and the request's nonce and hashes.
  ///
  /// A token that ``holds`` is one that ``TokenVerifier/verify(_:keys:now:)`` accepts.
  public init(
    of token: String, keys: KeySet, policy: TokenPolicy, request: Request = Request(), now: Date,
    limits: TokenLimits = .standard
  ) {
    var explainer = Explainer(keys: keys, policy: policy, request: request, now: now)
    explainer.explain(token, limits: limits)
    checks = explainer.checks
  }
}
