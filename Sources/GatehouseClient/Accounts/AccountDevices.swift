/// The sheets and browsers that an ``AccountManager`` can use. A property that is nil isn't offered
/// to the user.
public struct AccountDevices: Sendable {
  public var apple: (any AppleAuthorizing)?
  /// A sheet with the saved passwords, and optionally Apple's account.
  public var passwords: (any PasswordOffering)?
  public var google: (any GoogleSigningIn)?
  public var passkeys: (any PasskeyAuthorizing)?
  /// A browser, for OpenID Connect providers and all others whose sign-in runs in a browser.
  public var web: (any WebPresenting)?

  public init(
    apple: (any AppleAuthorizing)? = nil, passwords: (any PasswordOffering)? = nil,
    google: (any GoogleSigningIn)? = nil, web: (any WebPresenting)? = nil,
    passkeys: (any PasskeyAuthorizing)? = nil
  ) {
    self.apple = apple
    self.passwords = passwords
    self.google = google
    self.web = web
    self.passkeys = passkeys
  }
}
