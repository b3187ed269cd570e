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
  /// The sign-in was for signing in and its response is used to link, or the reverse.
  case otherPurpose
  /// The sign-in began with another provider than the request names.
  case otherProvider
  /// The response came to another address than the one that the provider was given.
  case otherAddress
  /// The response contains neither what the provider was asked for nor an error.
  case answerMissing
  /// The provider's error, a code as in RFC 6749 §4.1.2.1.
  case refusedByProvider(String)
  /// A parameter is repeated: two readers of such a response could read different values.
  case repeatedParameter
}
