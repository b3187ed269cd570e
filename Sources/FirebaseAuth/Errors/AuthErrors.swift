public import Foundation

/// The domain of errors, and the keys of their `userInfo`.
open class AuthErrors: NSObject {
  /// `FIRAuthErrorDomain`
  public static let domain: String = "FIRAuthErrorDomain"
  /// A stable text like `ERROR_USER_DISABLED`, in every error.
  public static let userInfoNameKey: String = "FIRAuthErrorUserInfoNameKey"
  /// The address of the account in question: `String`, where the server told it.
  ///
  /// With ``AuthErrorCode/accountExistsWithDifferentCredential``,
  /// ``AuthErrorCode/credentialAlreadyInUse`` and ``AuthErrorCode/emailAlreadyInUse``.
  public static let userInfoEmailKey: String = "FIRAuthErrorUserInfoEmailKey"
  /// An ``OAuthCredential`` to go on with, without asking the person again, for ten minutes.
  ///
  /// With ``AuthErrorCode/credentialAlreadyInUse`` and ``AuthErrorCode/emailAlreadyInUse`` it signs
  /// in to the other account; with ``AuthErrorCode/accountExistsWithDifferentCredential`` it can be
  /// linked once the person has signed in the other way.
  public static let userInfoUpdatedCredentialKey: String =
    "FIRAuthErrorUserInfoUpdatedCredentialKey"
  /// Never set: there are no second factors.
  public static let userInfoMultiFactorResolverKey: String =
    "FIRAuthErrorUserInfoMultiFactorResolverKey"

  /// `[String]`: the providers by which the person can go on. Gatehouse's own.
  ///
  /// With ``AuthErrorCode/accountExistsWithDifferentCredential`` and
  /// ``AuthErrorCode/requiresRecentLogin``, where they are known.
  public static let userInfoProvidersKey: String = "GatehouseProvidersKey"
  /// `[String]`: what would come together, for a project that asks for consent. Gatehouse's own.
  ///
  /// With ``AuthErrorCode/internalError``, since Firebase has no such answer.
  public static let userInfoConsentJoinsKey: String = "GatehouseConsentJoinsKey"
}

/// What the underlying error of an ``AuthErrorCode/internalError`` says: its domain and codes.
package enum InternalAuthError: Int, Sendable {
  /// Nothing was sent: what the app passed can't be right.
  case requestEncoding = 1
  case jsonSerialization = 2
  /// The server refused with a code that has no case of its own.
  case unexpectedErrorResponse = 3
  case unexpectedResponse = 4
  /// The answer can't be understood.
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
