/// A token with `events` is a notification, not an ID token.
///
/// Both are signed with the same keys for the same audience. RFC 8417 §4.5 warns that nothing else
/// might distinguish them.
func checkNotNotification(_ claims: Claims, _ policy: TokenPolicy) throws(TokenError) {
  guard policy.allowsEventsClaim || !claims.contains("events") else {
    throw TokenError(.isNotification)
  }
}

/// A token without `events` is not a notification.
func checkIsNotification(_ claims: Claims) throws(TokenError) {
  guard claims.contains("events") else { throw TokenError(.isNotNotification) }
}
