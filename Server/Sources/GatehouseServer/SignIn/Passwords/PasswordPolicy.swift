package import GatehouseProtocol

/// A project's requirements for new passwords, in addition to Firebase's own bounds.
///
/// Source: Identity Platform, "Enable, disable, and use password policies".
package struct PasswordPolicy: Hashable, Sendable {
  /// If false, six characters are enough, as in Firebase.
  package var isEnforced = false
  /// If the policy is enforced, a sign-in with a password that doesn't meet it is rejected too: the user
  /// must reset the password.
  package var isForcedOnSignIn = false
  /// Characters, 6…30.
  package var minimumLength = 6
  /// Characters, from ``minimumLength`` to 4096.
  package var maximumLength = 4096
  package var requiresLowercase = false
  package var requiresUppercase = false
  package var requiresDigit = false
  /// One of ``symbols``.
  package var requiresSymbol = false

  package init() {}

  /// The characters that count as symbols.
  package static let symbols = #"^$*.[]{}()?"!@#%&/\,><':;|_~`-"#

  package static let minimumLengths = 6...30

  /// The allowed values of ``maximumLength`` for a minimum length.
  package static func maximumLengths(from minimum: Int) -> ClosedRange<Int> {
    min(max(minimum, 6), 4096)...4096
  }

  /// The requirements that `password` doesn't meet, in the order in which clients list them.
  ///
  /// Characters are UTF-16 units, as clients count them before they send a request. Letters and
  /// digits are ASCII.
  func shortcomings(of password: Secret<String>) -> [PasswordRequirement] {
    let password = password.reveal()
    let length = password.utf16.count
    let has = { (range: ClosedRange<UInt8>) in password.utf8.contains { range.contains($0) } }
    let requirements: [(PasswordRequirement, isMet: Bool)] = [
      (.minimumLength(minimumLength), length >= minimumLength),
      (.maximumLength(maximumLength), length <= maximumLength),
      (.lowercase, !requiresLowercase || has(0x61...0x7A)),
      (.uppercase, !requiresUppercase || has(0x41...0x5A)),
      (.digit, !requiresDigit || has(0x30...0x39)),
      (.symbol, !requiresSymbol || password.utf8.contains { Self.symbols.utf8.contains($0) }),
    ]
    return requirements.filter { !$0.isMet }.map(\.0)
  }
}

extension PasswordPolicy {
  /// What a user who signed in with `password` should change: the requirements that it doesn't meet, if the
  /// policy applies only to new passwords.
  package func advisedChanges(of password: Secret<String>) -> [PasswordRequirement] {
    isEnforced && !isForcedOnSignIn ? shortcomings(of: password) : []
  }
}

/// One requirement of a password policy.
package enum PasswordRequirement: Hashable, Sendable {
  case minimumLength(Int)
  case maximumLength(Int)
  case lowercase
  case uppercase
  case digit
  case symbol
}

extension PasswordPolicy: Codable {
  /// A key that is missing in a stored document gets its default, as in ``ProjectPolicies``.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    isEnforced = try values.value(.isEnforced, or: isEnforced)
    isForcedOnSignIn = try values.value(.isForcedOnSignIn, or: isForcedOnSignIn)
    minimumLength = try values.value(.minimumLength, or: minimumLength)
    maximumLength = try values.value(.maximumLength, or: maximumLength)
    requiresLowercase = try values.value(.requiresLowercase, or: requiresLowercase)
    requiresUppercase = try values.value(.requiresUppercase, or: requiresUppercase)
    requiresDigit = try values.value(.requiresDigit, or: requiresDigit)
    requiresSymbol = try values.value(.requiresSymbol, or: requiresSymbol)
  }
}

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
