extension Person {
  /// The claims of the scope `profile` that have values (OpenID Connect Core §5.4).
  var profileClaims: [String: JSONValue] {
    var claims: [String: JSONValue] = [:]
    claims["name"] = name.map(JSONValue.string)
    claims["given_name"] = givenName.map(JSONValue.string)
    claims["family_name"] = familyName.map(JSONValue.string)
    claims["picture"] = picture.map(JSONValue.string)
    return claims
  }
}
