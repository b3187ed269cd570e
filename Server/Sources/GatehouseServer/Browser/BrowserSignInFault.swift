/// Why a response that a browser or an app brought from a provider is rejected.
package enum BrowserSignInFault: Hashable, Sendable {
  case stateMissing
  /// Altered, forged, or of another project.
  case notIssued
  case expired
  /// The sign-in began in another browser, or the browser kept no cookie.
  case otherBrowser
  /// The session id is missing, or isn't the one with which the sign-in began.
  case otherSession
  case used
  /// The user began the sign-in to sign in, and the request uses its response to link; or the reverse.
  case otherPurpose
  /// The request names another provider than the one with which the sign-in began.
  case otherProvider
  /// The response came to another address than the one that the provider was given.
  case otherAddress
  /// The response contains neither what the provider was asked for nor an error.
  case answerMissing
  /// The provider's error, a code as in RFC 6749 §4.1.2.1.
  case refusedByProvider(String)
  /// A parameter is repeated. Two programs that read such a response could use different values.
  case repeatedParameter
}
