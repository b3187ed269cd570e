import GatehouseProtocol

extension PasswordPolicyConfig {
  init(_ policy: PasswordPolicy) {
    self.init()
    isEnforced = policy.isEnforced
    forceUpgradeOnSignin = policy.isForcedOnSignIn
    versions = [PasswordStrengthOptions(policy)]
  }

  /// Applies the settings that the mask names; without a mask, those in the resource.
  ///
  /// - Throws: ``APIError`` with `INVALID_CONFIG` for lengths out of range, and for a list of versions
  ///   that doesn't have one element.
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
      if let versions, versions.count != 1 {
        throw .invalidConfiguration(
          .invalidConfig, "Policy versions list must be of length 1")
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
      minPasswordLength, in: PasswordPolicy.minimumLengths, standard: standard.minimumLength,
      "Minimum password length must be between 6 and 30")
    policy.maximumLength = try Self.length(
      maxPasswordLength, in: PasswordPolicy.maximumLengths(from: policy.minimumLength),
      standard: standard.maximumLength,
      maxPasswordLength > standard.maximumLength
        ? "Maximum password length must be less than or equal to 4096"
        : "Maximum password length must be greater than or equal to the minimum password length")
    policy.requiresLowercase = containsLowercaseCharacter
    policy.requiresUppercase = containsUppercaseCharacter
    policy.requiresDigit = containsNumericCharacter
    policy.requiresSymbol = containsNonAlphanumericCharacter
  }

  /// - Parameter refusal: Google's sentence.
  private static func length(
    _ value: Int64, in range: ClosedRange<Int>, standard: Int, _ refusal: String
  ) throws(APIError) -> Int {
    if value == 0 { return standard }
    guard let length = Int(exactly: value), range.contains(length) else {
      throw .invalidConfiguration(.invalidConfig, refusal)
    }
    return length
  }
}
