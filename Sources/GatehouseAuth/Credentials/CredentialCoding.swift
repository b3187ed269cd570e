package import GatehouseClient

/// An identity provider's credential in a keyed archive, with a key for each text.
///
/// Authorization codes and browser responses are not archived: they work once, and only for
/// minutes. The real user status of Apple's sheet is not archived either: it belongs to the sign-in
/// that follows the sheet.
extension IdentityProviderCredential {
  package func encode(with coder: NSCoder) {
    coder.encode(text: provider.rawValue, forKey: "provider")
    coder.encode(text: idToken, forKey: "IDToken")
    coder.encode(text: accessToken, forKey: "accessToken")
    coder.encode(text: rawNonce, forKey: "rawNonce")
    coder.encode(text: secret, forKey: "secret")
    coder.encode(text: pendingToken, forKey: "pendingToken")
    coder.encode(text: email, forKey: "email")
    coder.encode(text: fullName?.givenName, forKey: "givenName")
    coder.encode(text: fullName?.familyName, forKey: "familyName")
  }

  /// - Returns: nil if the archive has no provider.
  package init?(coder: NSCoder) {
    guard let provider = coder.text("provider") else { return nil }
    self.init(provider: Provider(provider))
    idToken = coder.text("IDToken")
    accessToken = coder.text("accessToken")
    rawNonce = coder.text("rawNonce")
    secret = coder.text("secret")
    pendingToken = coder.text("pendingToken")
    email = coder.text("email")
    let name = PersonName(
      givenName: coder.text("givenName"), familyName: coder.text("familyName"))
    if name.givenName != nil || name.familyName != nil { fullName = name }
  }
}
