import GatehouseProtocol

extension Secret<String> {
  /// Checks the project's policy and Firebase's bounds: at least 6 characters, at most 4096.
  /// Characters are UTF-16 units, as clients and Firebase's service count them.
  ///
  /// - Throws: ``AccountsError/weakPassword``, ``AccountsError/passwordTooLong``,
  ///   ``AccountsError/passwordRequirements(_:)``.
  func checkAsNewPassword(under policies: ProjectPolicies) throws(AccountsError) {
    let password = reveal()
    if password.utf16.count > 4096 { throw .passwordTooLong }
    try checkRequirements(of: policies.passwordPolicy)
    if password.utf16.count < 6 { throw .weakPassword }
  }

  /// Checks the project's policy if it applies to every sign-in.
  ///
  /// - Throws: ``AccountsError/passwordRequirements(_:)``.
  func checkAtSignIn(under policies: ProjectPolicies) throws(AccountsError) {
    if policies.passwordPolicy.isForcedOnSignIn {
      try checkRequirements(of: policies.passwordPolicy)
    }
  }

  private func checkRequirements(of policy: PasswordPolicy) throws(AccountsError) {
    guard policy.isEnforced else { return }
    let missing = policy.shortcomings(of: self)
    if !missing.isEmpty { throw .passwordRequirements(missing) }
  }
}

extension ProjectPolicies {
  /// A password may be set or changed only if the project allows sign-in by password.
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
