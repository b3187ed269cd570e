import GatehouseProtocol

/// The claims of an ID token that aren't standard ones, for `firebase.sign_in_attributes`.
extension SignInAttributes {
  /// The limit in bytes of JSON: the claims become a part of every ID token of the session.
  ///
  /// An ID token with this many is about 7 KiB long. Many proxies and servers accept at most 8 KiB in
  /// a header, and a user could not sign in to an API with a longer one.
  static let maximumBytes = 4096

  /// The claims that aren't standard ones; nil if there are none. A claim that would exceed the limit
  /// is left out as a whole, because a part of a list of groups would be mistaken for the list.
  ///
  /// - Parameter leftOut: Receives the names of these claims.
  init?(_ claims: JSONObject, leftOut: inout [String]) {
    var kept: [JSONObject.Member] = []
    // One brace; the other one is counted as the comma after the last member.
    var bytes = 1
    for member in claims.members where !Self.standard.containsBytes(of: member.name) {
      let size = JSONValue.object(JSONObject([member])).serialized().count - 1
      guard bytes + size <= Self.maximumBytes else {
        leftOut.append(member.name)
        continue
      }
      bytes += size
      kept.append(member)
    }
    guard !kept.isEmpty else { return nil }
    self.init(written: JSONValue.object(JSONObject(kept)).text())
  }

  /// RFC 7519 §4.1; OpenID Connect Core §2, §3.1.3.6, §3.3.2.11 and §5.1; Front-Channel Logout §3
  /// (`sid`); FAPI 1.0 Part 2 §5.1.1 (`s_hash`).
  private static let standard = [
    "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "auth_time", "nonce", "acr", "amr", "azp",
    "at_hash", "c_hash", "s_hash", "sid", "name", "given_name", "family_name", "middle_name",
    "nickname", "preferred_username", "profile", "picture", "website", "email", "email_verified",
    "gender", "birthdate", "zoneinfo", "locale", "phone_number", "phone_number_verified",
    "address", "updated_at",
  ]
}
