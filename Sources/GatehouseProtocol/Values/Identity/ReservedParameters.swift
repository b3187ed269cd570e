/// The parameters of an authorization request that only the server sets.
///
/// An app that could set them could redirect the response to another place, or break the binding of
/// the response to its request. The server refuses them, and so does the SDK before it opens a browser.
public enum ReservedParameters {
  private static let names = [
    "client_id", "client_secret", "client_assertion", "client_assertion_type", "response_type",
    "response_mode", "redirect_uri", "state", "scope", "nonce", "code", "code_challenge",
    "code_challenge_method", "code_verifier", "request", "request_uri", "registration",
    "id_token_hint", "dpop_jkt",
  ]

  /// Ignores case, because some providers do.
  public static func contains(_ name: String) -> Bool {
    names.containsBytes(of: name.lowercased())
  }
}
