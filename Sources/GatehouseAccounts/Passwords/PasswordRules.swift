import GatehouseModel

extension Secret<String> {
  /// Firebase's bounds: at least 6 characters, at most 4096.
  ///
  /// - Throws: ``AccountsError/weakPassword``, ``AccountsError/passwordTooLong``.
  func checkAsNewPassword() throws(AccountsError) {
    let password = reveal()
    if password.count < 6 { throw .weakPassword }
    if password.utf8.count > 4096 { throw .passwordTooLong }
  }
}

extension ProjectPolicies {
  /// A password may be set or chosen anew only where people sign in with one.
  ///
  /// - Throws: ``AccountsError/passwordsDisabled``.
  func requirePasswords() throws(AccountsError) {
    if !allowsPasswords { throw .passwordsDisabled }
  }

  /// - Throws: ``AccountsError/emailLinksDisabled``.
  func requireEmailLinks() throws(AccountsError) {
    if !allowsEmailLinks { throw .emailLinksDisabled }
  }
}
