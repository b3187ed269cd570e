/// What a code's exchange has to prove (RFC 7636 §4.3).
enum CodeChallenge {
  /// - Returns: The challenge of an authorization request, if it has one.
  /// - Throws: `invalid_request`. `plain`, which is also what an absent method means, is refused.
  static func read(_ form: RequestForm) throws(SimulatorError) -> String? {
    guard let challenge = form.filled("code_challenge") else {
      guard form.filled("code_challenge_method") == nil else {
        throw .invalidRequest("code_challenge_method needs a code_challenge.")
      }
      return nil
    }
    guard form["code_challenge_method"] == "S256" else {
      throw .invalidRequest("code_challenge_method must be S256.")
    }
    guard challenge.utf8.count == 43, Base64URL.bytes(challenge) != nil else {
      throw .invalidRequest("code_challenge must be the base64url of a SHA-256.")
    }
    return challenge
  }
}
