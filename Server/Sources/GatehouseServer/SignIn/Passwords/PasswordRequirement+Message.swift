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
