/// What the device offers to an ``AccountManager``. A device that is nil isn't offered to the user.
public struct AccountDevices: Sendable {
  public var apple: (any AppleAuthorizing)?
  /// The saved passwords, in one sheet with Apple's account.
  public var passwords: (any PasswordOffering)?
  public var google: (any GoogleSigningIn)?
  /// For OpenID Connect providers and all others whose sign-in is in a browser.
  public var web: (any WebPresenting)?

  public init(
    apple: (any AppleAuthorizing)? = nil, passwords: (any PasswordOffering)? = nil,
    google: (any GoogleSigningIn)? = nil, web: (any WebPresenting)? = nil
  ) {
    self.apple = apple
    self.passwords = passwords
    self.google = google
    self.web = web
  }
}
