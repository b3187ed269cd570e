import GatehouseModel

/// Checks that `sub` has 1 to 255 bytes and no NUL, at which some stores end a string.
///
/// OpenID Connect Core §2: "MUST NOT exceed 255 ASCII characters in length". A limit in bytes also
/// covers other characters.
func checkSubject(_ claims: Claims) throws(TokenError) -> String {
  guard let text = claims.string("sub"), let subject = Subject(text) else {
    throw TokenError(.subject)
  }
  return subject.text
}
