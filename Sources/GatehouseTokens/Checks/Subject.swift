/// Checks that `sub` is not longer than the policy allows, and has at least one byte and no NUL, at which
/// some stores end a string. Returns it.
func checkSubject(_ claims: Claims, _ policy: TokenPolicy) throws(TokenError) -> String {
  guard let subject = claims.string("sub"), !subject.isEmpty,
    subject.utf8.count <= policy.maximumSubjectBytes, !subject.utf8.contains(0)
  else { throw TokenError(.subject) }
  return subject
}
