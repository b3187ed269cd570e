import GatehouseClient

extension DeletionError {
  /// Whether the account has a password, and the deletion may work if the user enters it.
  var wantsPassword: Bool {
    switch (step, cause) {
    // The device offers no way to re-authenticate, or the way that it offers isn't enough.
    case (.reauthenticate, .client(.needsRecentSignIn(let providers))):
      providers.contains(.password)
    // The device couldn't offer its saved passwords, or the saved one is of another account.
    case (.reauthenticate(.password), .device(.failed)),
      (.reauthenticate(.password), .client(.userMismatch)):
      true
    // The saved password is an old one.
    case (.reauthenticate(.password), .client(.server(let refusal))):
      ["INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"].contains(refusal.code)
    default: false
    }
  }
}
