import GatehouseTokens
import GatehouseProtocol

/// The wire messages for errors in custom claims, custom tokens, assertions and uploaded keys.
extension ErrorMapping {
  static func message(_ error: CustomClaimsError) -> ErrorMessage {
    switch error {
    case .invalid: .init(.invalidClaims)
    case .tooLarge: .init(.claimsTooLarge)
    case .forbidden(let name): .init(.forbiddenClaim, name)
    }
  }

  /// For a custom token. The message doesn't say which check failed, as in Google's service.
  static func message(_ error: AssertionRefusal) -> ErrorMessage {
    switch error {
    case .unknownIssuer: .init(.credentialMismatch)
    case .token(.segments):
      .init(.invalidCustomToken, "Invalid assertion format. 3 dot separated segments required.")
    case .token, .notAdministrator, .used: .init(.invalidCustomToken)
    }
  }

  /// For an assertion at the token endpoint. ASCII without quotes and backslashes (RFC 6749 §5.2).
  static func description(_ error: AssertionRefusal) -> String {
    switch error {
    case .unknownIssuer: "No service account has the name in iss, or its key was removed."
    case .token(let code): code.explanation
    case .notAdministrator:
      "The service account is not an administrator. Run: gatehouse service-accounts grant "
        + "EMAIL admin"
    case .used: "The assertion was used before. An assertion with a jti can be used once."
    }
  }

  static func message(_ error: CustomTokenError) -> ErrorMessage {
    switch error {
    case .uidMissing: .init(.missingIdentifier)
    case .uidLength:
      .init(.invalidIdentifier, "Invalid user ID length. Expect to have length between 1 and 128.")
    case .uidCharacters: .init(.invalidIdentifier, "A user ID has no control characters.")
    case .tenant: .init(.tenantIDMismatch)
    }
  }

  static func refusal(_ error: ServiceAccountError) -> APIError {
    switch error {
    case .unknown: .notFound("There is no such service account.")
    case .exists: .alreadyExists("The service account already exists.")
    case .otherProject:
      .permissionDenied("The service account's email belongs to another project.")
    case .administrator:
      .permissionDenied(
        "The service account is an administrator: change its keys with the command "
          + "`gatehouse service-accounts keys`.")
    case .tooManyKeys:
      .invalidArgument(
        "A service account has at most \(ServiceAccount.maximumKeys) keys: delete one first.")
    case .tooManyAccounts:
      .invalidArgument(
        "A project has at most \(ServiceAccount.maximumPerProject) service accounts.")
    }
  }

  static func message(_ error: PublicKeyError) -> String {
    switch error.reason {
    case .tooWeak: "The key is too weak: RSA of at least 2048 bits is needed."
    case .tooLarge: "The key is too large: RSA of at most 8192 bits is accepted."
    case .exponent: "The key's exponent is not accepted."
    case .algorithm, .malformed, .use: "The key is not an RSA public key."
    }
  }
}
