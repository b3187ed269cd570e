// Names of ``AuthErrorCode/requiresRecentLogin`` that Firebase's tutorials still use.

extension AuthErrorCode {
  /// The name of ``requiresRecentLogin`` in the first versions of Firebase's SDK.
  @available(*, deprecated, renamed: "requiresRecentLogin")
  public static var credentialTooOld: AuthErrorCode { .requiresRecentLogin }
}

/// The Objective-C name. It is a code, so `catch FIRAuthErrorCodeCredentialTooOld` catches the
/// error.
@available(*, deprecated, renamed: "AuthErrorCode.requiresRecentLogin")
public let FIRAuthErrorCodeCredentialTooOld: AuthErrorCode = .requiresRecentLogin

extension AuthErrorCode {
  /// Makes `catch` with a constant work too: `catch FIRAuthErrorCodeCredentialTooOld`.
  public static func ~= (code: AuthErrorCode, error: any Error) -> Bool {
    (error as? AuthErrorCode) == code
  }
}
