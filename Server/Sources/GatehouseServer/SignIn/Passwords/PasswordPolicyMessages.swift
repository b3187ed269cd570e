import GatehouseProtocol

/// v2's `GET passwordPolicy`: the rules that a client checks before it sends a new password.
struct GetPasswordPolicy: Endpoint {
  var routes: [Route] {
    [.client(.get, "v2/passwordPolicy", "passwordPolicy", answer)]
  }

  func answer(_ call: Call) throws -> Answer {
    let policy = try call.requireProject().policies.passwordPolicy
    return Answer(
      PasswordPolicyResponse(
        options: PasswordStrengthOptions(policy),
        allowedNonAlphanumericCharacters: policy.requiresSymbol
          ? PasswordPolicy.symbols.map { String($0) } : [],
        // Without a policy, Google's own bounds are enforced.
        isEnforced: policy.isEnforced || policy == PasswordPolicy(),
        forceUpgradeOnSignin: policy.isForcedOnSignIn))
  }
}

/// `passwordPolicyConfig` of a project's settings. In a request, an absent field changes nothing,
/// unless `updateMask` names it: then the setting is reset.
struct PasswordPolicyConfig: Hashable, Sendable {
  var isEnforced: Bool?
  var forceUpgradeOnSignin: Bool?
  var versions: [PasswordStrengthOptions]?

  init() {}

  init(_ fields: WireFields) throws(WireError) {
    isEnforced = try fields.enumerator("passwordPolicyEnforcementState").map {
      (state) throws(WireError) in
      if state.names("ENFORCE", 2) { return true }
      guard
        state.names("OFF", 1) || state.names("PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", 0)
      else {
        throw WireError(
          field: "passwordPolicyConfig.passwordPolicyEnforcementState", wanted: .enumeration)
      }
      return false
    }
    forceUpgradeOnSignin = try fields.bool("forceUpgradeOnSignin")
    guard fields.contains("passwordPolicyVersions") else { return }
    var versions: [PasswordStrengthOptions] = []
    for version in try fields.messages("passwordPolicyVersions") {
      versions.append(try PasswordStrengthOptions(version.message("customStrengthOptions")))
    }
    self.versions = versions
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("passwordPolicyEnforcementState", isEnforced == true ? "ENFORCE" : "OFF")
    writer.array("passwordPolicyVersions") { list in
      for version in versions ?? [] {
        list.object {
          $0.object("customStrengthOptions") { version.writeMembers(to: &$0) }
          $0.member("schemaVersion", PasswordStrengthOptions.schemaVersion)
        }
      }
    }
    writer.member("forceUpgradeOnSignin", forceUpgradeOnSignin ?? false)
  }
}

/// `customStrengthOptions`: the requirements for a password. A length of 0 means that none is
/// given, as in Protocol Buffers.
struct PasswordStrengthOptions: Hashable, Sendable {
  /// The only version of this format.
  static let schemaVersion = 1

  var minPasswordLength: Int64 = 0
  var maxPasswordLength: Int64 = 0
  var containsLowercaseCharacter = false
  var containsUppercaseCharacter = false
  var containsNumericCharacter = false
  var containsNonAlphanumericCharacter = false

  init() {}

  init(_ fields: WireFields?) throws(WireError) {
    guard let fields else { return }
    minPasswordLength = try fields.int64("minPasswordLength") ?? 0
    maxPasswordLength = try fields.int64("maxPasswordLength") ?? 0
    containsLowercaseCharacter = try fields.bool("containsLowercaseCharacter") ?? false
    containsUppercaseCharacter = try fields.bool("containsUppercaseCharacter") ?? false
    containsNumericCharacter = try fields.bool("containsNumericCharacter") ?? false
    containsNonAlphanumericCharacter =
      try fields.bool("containsNonAlphanumericCharacter") ?? false
  }

  /// The name of each kind of characters, and whether it is required.
  private var kinds: [(name: String, isRequired: Bool)] {
    [
      ("containsLowercaseCharacter", containsLowercaseCharacter),
      ("containsUppercaseCharacter", containsUppercaseCharacter),
      ("containsNumericCharacter", containsNumericCharacter),
      ("containsNonAlphanumericCharacter", containsNonAlphanumericCharacter),
    ]
  }

  /// - Parameter onlyRequired: Leaves out the kinds of characters that aren't required, as Google's
  ///   response to clients does.
  func writeMembers(to writer: inout JSONWriter, onlyRequired: Bool = false) {
    writer.member("minPasswordLength", minPasswordLength)
    writer.member("maxPasswordLength", maxPasswordLength)
    for kind in kinds where kind.isRequired || !onlyRequired {
      writer.member(kind.name, kind.isRequired)
    }
  }
}

/// v2's `passwordPolicy`: the rules that a client shows to a user who chooses a password.
struct PasswordPolicyResponse: WireResponse {
  var options: PasswordStrengthOptions
  /// Each string is one character. Empty if no such character is required.
  var allowedNonAlphanumericCharacters: [String]
  var isEnforced: Bool
  var forceUpgradeOnSignin: Bool

  init(
    options: PasswordStrengthOptions, allowedNonAlphanumericCharacters: [String],
    isEnforced: Bool, forceUpgradeOnSignin: Bool
  ) {
    self.options = options
    self.allowedNonAlphanumericCharacters = allowedNonAlphanumericCharacters
    self.isEnforced = isEnforced
    self.forceUpgradeOnSignin = forceUpgradeOnSignin
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.object("customStrengthOptions") { options.writeMembers(to: &$0, onlyRequired: true) }
    if !allowedNonAlphanumericCharacters.isEmpty {
      writer.member("allowedNonAlphanumericCharacters", allowedNonAlphanumericCharacters)
    }
    writer.member("enforcementState", isEnforced ? "ENFORCE" : "OFF")
    if forceUpgradeOnSignin { writer.member("forceUpgradeOnSignin", true) }
    writer.member("schemaVersion", PasswordStrengthOptions.schemaVersion)
  }
}

/// A requirement of a password policy, in Google's words.
extension PasswordRequirement {
  var message: String {
    switch self {
    case .minimumLength(let length): "Password must contain at least \(length) characters"
    case .maximumLength(let length): "Password may contain at most \(length) characters"
    case .lowercase: "Password must contain a lower case character"
    case .uppercase: "Password must contain an upper case character"
    case .digit: "Password must contain a numeric character"
    case .symbol: "Password must contain a non-alphanumeric character"
    }
  }

  /// The code with which a sign-in tells the user of it.
  var notificationCode: String {
    switch self {
    case .minimumLength: "MINIMUM_PASSWORD_LENGTH"
    case .maximumLength: "MAXIMUM_PASSWORD_LENGTH"
    case .lowercase: "MISSING_LOWERCASE_CHARACTER"
    case .uppercase: "MISSING_UPPERCASE_CHARACTER"
    case .digit: "MISSING_NUMERIC_CHARACTER"
    case .symbol: "MISSING_NON_ALPHANUMERIC_CHARACTER"
    }
  }
}
