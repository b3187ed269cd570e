/// The PKCE challenge of a code (RFC 7636 §4.3).
enum CodeChallenge {
  /// - Returns: The challenge of an authorization request, if there is one.
  /// - Throws: `invalid_request`, also for the method `plain`, which is the default of an absent
  ///   method.
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
      throw .invalidRequest("code_challenge must be a SHA-256 hash in base64url.")
    }
    return challenge
  }
}
