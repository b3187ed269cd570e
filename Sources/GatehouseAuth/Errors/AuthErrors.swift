public import Foundation

/// The domain of errors, and the keys of their `userInfo`.
open class AuthErrors: NSObject {
  /// `FIRAuthErrorDomain`
  public static let domain: String = "FIRAuthErrorDomain"
  /// A stable text like `ERROR_USER_DISABLED`, in every error.
  public static let userInfoNameKey: String = "FIRAuthErrorUserInfoNameKey"
  /// `String`: the email address of the other account, if the server sent it.
  ///
  /// With ``AuthErrorCode/accountExistsWithDifferentCredential``,
  /// ``AuthErrorCode/credentialAlreadyInUse`` and ``AuthErrorCode/emailAlreadyInUse``.
  public static let userInfoEmailKey: String = "FIRAuthErrorUserInfoEmailKey"
  /// A credential with which the app can continue for ten minutes, without asking the user again: a
  /// ``PhoneAuthCredential`` for a phone number, otherwise an ``OAuthCredential``. Not in every
  /// error.
  ///
  /// With ``AuthErrorCode/credentialAlreadyInUse`` and ``AuthErrorCode/emailAlreadyInUse`` it signs
  /// in to the other account. With ``AuthErrorCode/accountExistsWithDifferentCredential`` it can be
  /// linked after the user has signed in with another method. After a missing consent it repeats
  /// the request.
  public static let userInfoUpdatedCredentialKey: String =
    "FIRAuthErrorUserInfoUpdatedCredentialKey"
  /// ``MultiFactorResolver``: continues with a second factor.
  ///
  /// With ``AuthErrorCode/secondFactorRequired``.
  public static let userInfoMultiFactorResolverKey: String =
    "FIRAuthErrorUserInfoMultiFactorResolverKey"

  /// `[String]`: the providers with which the user can continue. Gatehouse's own key.
  ///
  /// With ``AuthErrorCode/accountExistsWithDifferentCredential`` and
  /// ``AuthErrorCode/requiresRecentLogin``, if they are known.
  public static let userInfoProvidersKey: String = "GatehouseProvidersKey"
  /// `[String]`: what would be linked, for a project that requires consent. Gatehouse's own key.
  ///
  /// With ``AuthErrorCode/internalError``, because Firebase has no such response.
  public static let userInfoConsentJoinsKey: String = "GatehouseConsentJoinsKey"
}

/// The domain and codes of the error under an ``AuthErrorCode/internalError``.
package enum InternalAuthError: Int, Sendable {
  /// Nothing was sent: an argument of the app is invalid.
  case requestEncoding = 1
  case jsonSerialization = 2
  /// The server rejected the request with a code that has no case of its own.
  case unexpectedErrorResponse = 3
  case unexpectedResponse = 4
  /// The response can't be parsed.
  case responseDecoding = 5

  package static let domain = "FIRAuthInternalErrorDomain"
  /// `[String: Any]` with the server's `code`, `message` and `status`.
  package static let responseKey = "FIRAuthErrorUserInfoDeserializedResponseKey"

  package func error(_ detail: String, userInfo: [String: Any] = [:]) -> NSError {
    var all: [String: Any] = [NSLocalizedDescriptionKey: detail]
    all.merge(userInfo) { _, given in given }
    return NSError(domain: Self.domain, code: rawValue, userInfo: all)
  }
}
