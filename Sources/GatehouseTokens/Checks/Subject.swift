import GatehouseModel

/// `sub` must be there: 1 to 255 bytes (OpenID Connect Core §2: "MUST NOT exceed 255 ASCII
/// characters in length"; bytes bound the others too) and no NUL, at which some stores end a string.
func checkSubject(_ claims: Claims) throws(TokenError) -> String {
  guard let text = claims.string("sub"), let subject = Subject(text) else {
    throw TokenError(.subject)
  }
  return subject.text
}
