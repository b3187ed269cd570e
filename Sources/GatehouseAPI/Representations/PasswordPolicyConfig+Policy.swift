import GatehouseAccounts
import GatehouseWire

extension PasswordPolicyConfig {
  init(_ policy: PasswordPolicy) {
    self.init()
    isEnforced = policy.isEnforced
    forceUpgradeOnSignin = policy.isForcedOnSignIn
    versions = [PasswordStrengthOptions(policy)]
  }

  /// Applies the settings that the mask names; without a mask, those in the resource.
  ///
  /// - Throws: ``APIError`` with `INVALID_CONFIG` for lengths out of range, and for more than one
  ///   version.
  func apply(to policy: inout PasswordPolicy, under mask: FieldMask) throws(APIError) {
    let path = "passwordPolicyConfig"
    if mask.covers(
      "\(path).passwordPolicyEnforcementState", presentInBody: isEnforced != nil)
    {
      policy.isEnforced = isEnforced ?? false
    }
    if mask.covers("\(path).forceUpgradeOnSignin", presentInBody: forceUpgradeOnSignin != nil) {
      policy.isForcedOnSignIn = forceUpgradeOnSignin ?? false
    }
    if mask.covers("\(path).passwordPolicyVersions", presentInBody: versions != nil) {
      guard (versions ?? []).count <= 1 else {
        throw .invalidConfiguration(.invalidConfig, "passwordPolicyVersions has one element.")
      }
      try (versions?.first ?? PasswordStrengthOptions()).apply(to: &policy)
    }
  }
}

extension PasswordStrengthOptions {
  init(_ policy: PasswordPolicy) {
    self.init()
    minPasswordLength = Int64(policy.minimumLength)
    maxPasswordLength = Int64(policy.maximumLength)
    containsLowercaseCharacter = policy.requiresLowercase
    containsUppercaseCharacter = policy.requiresUppercase
    containsNumericCharacter = policy.requiresDigit
    containsNonAlphanumericCharacter = policy.requiresSymbol
  }

  fileprivate func apply(to policy: inout PasswordPolicy) throws(APIError) {
    let standard = PasswordPolicy()
    policy.minimumLength = try Self.length(
      minPasswordLength, "minPasswordLength", in: PasswordPolicy.minimumLengths,
      standard: standard.minimumLength)
    policy.maximumLength = try Self.length(
      maxPasswordLength, "maxPasswordLength",
      in: PasswordPolicy.maximumLengths(from: policy.minimumLength),
      standard: standard.maximumLength)
    policy.requiresLowercase = containsLowercaseCharacter
    policy.requiresUppercase = containsUppercaseCharacter
    policy.requiresDigit = containsNumericCharacter
    policy.requiresSymbol = containsNonAlphanumericCharacter
  }

  private static func length(
    _ value: Int64, _ name: String, in range: ClosedRange<Int>, standard: Int
  ) throws(APIError) -> Int {
    if value == 0 { return standard }
    guard let length = Int(exactly: value), range.contains(length) else {
      throw .invalidConfiguration(
        .invalidConfig, "\(name) is from \(range.lowerBound) to \(range.upperBound).")
    }
    return length
  }
}
