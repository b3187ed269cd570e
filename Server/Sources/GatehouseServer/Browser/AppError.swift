import GatehouseProtocol

/// The error that the app gets when a sign-in failed in the browser: `firebaseError`, a JSON object
/// with a code that Google's SDKs know.
struct AppError: Sendable {
  let code: String
  let message: String

  /// Nil for an unexpected error, which the app must not see.
  init?(_ error: any Error) {
    let mapping = ErrorMapping(error, envelope: .identityToolkit)
    guard !mapping.isUnexpected, let message = mapping.message else { return nil }
    self.message = message
    code = "auth/" + Self.name(error)
  }

  private static func name(_ error: any Error) -> String {
    switch error {
    case AccountsError.browserSignIn(.refusedByProvider(let error)): name(ofRefusal: error)
    case AccountsError.providerDisabled: "operation-not-allowed"
    case FederationError.incompleteConfiguration, FederationError.unsupportedProvider:
      "operation-not-allowed"
    case FederationError.unreachable(.noUsableKey): "internal-error"
    case FederationError.unreachable: "network-request-failed"
    case let error as APIError:
      error.code == .operationNotAllowed
        ? "operation-not-allowed" : "argument-error"
    default: "internal-error"
    }
  }

  /// RFC 6749 §4.1.2.1; OpenID Connect Core §3.1.2.6; Apple, `user_cancelled_authorize`.
  private static func name(ofRefusal error: String) -> String {
    switch error {
    case "access_denied", "user_cancelled_authorize", "user_cancelled_login",
      "login_required", "consent_required", "interaction_required",
      "account_selection_required":
      "web-context-cancelled"
    case "unauthorized_client", "invalid_client": "invalid-oauth-client-id"
    case "temporarily_unavailable": "network-request-failed"
    default: "internal-error"
    }
  }

  /// `{"code":"auth/…","message":"…"}`
  var json: JSONValue { ["code": .string(code), "message": .string(message)] }

  var text: String { json.text() }

  /// The same error for Google's SDK for JavaScript, which has its own code for a user who cancels.
  var ofPage: AppError {
    code.hasSameBytes(as: Self.cancelled) ? AppError(code: "auth/user-cancelled", message) : self
  }

  private static let cancelled = "auth/web-context-cancelled"

  private init(code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
