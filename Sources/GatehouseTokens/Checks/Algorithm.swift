/// The algorithm must be one that is configured (RFC 8725 §3.1).
func checkAlgorithm(_ header: TokenHeader, _ policy: TokenPolicy) throws(TokenError) {
  guard policy.algorithms.contains(header.algorithm) else {
    throw TokenError(
      .algorithmNotAllowed, expected: policy.algorithms.map(\.rawValue).sorted(),
      received: [header.algorithm.rawValue])
  }
}
