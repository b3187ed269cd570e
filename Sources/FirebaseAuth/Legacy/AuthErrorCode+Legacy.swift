// Names of ``AuthErrorCode/requiresRecentLogin`` that Firebase's tutorials still use.

extension AuthErrorCode {
  /// What the first versions of Firebase's SDK called ``requiresRecentLogin``.
  @available(*, deprecated, renamed: "requiresRecentLogin")
  public static var credentialTooOld: AuthErrorCode { .requiresRecentLogin }
}

/// The Objective-C name. It is a code, so `catch FIRAuthErrorCodeCredentialTooOld` finds the error.
@available(*, deprecated, renamed: "AuthErrorCode.requiresRecentLogin")
public let FIRAuthErrorCodeCredentialTooOld: AuthErrorCode = .requiresRecentLogin

extension AuthErrorCode {
  /// So that a constant finds an error too: `catch FIRAuthErrorCodeCredentialTooOld`.
  public static func ~= (code: AuthErrorCode, error: any Error) -> Bool {
    (error as? AuthErrorCode) == code
  }
}
