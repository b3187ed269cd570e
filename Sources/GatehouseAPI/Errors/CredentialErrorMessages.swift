import GatehouseAccounts
import GatehouseTokens
import GatehouseWire

/// How refusals of what a project's own back end signs, claims and uploads are worded on the wire.
extension ErrorMapping {
  static func message(_ error: CustomClaimsError) -> ErrorMessage {
    switch error {
    case .invalid: .init(.invalidClaims)
    case .tooLarge: .init(.claimsTooLarge)
    case .forbidden(let name): .init(.forbiddenClaim, name)
    }
  }

  /// Of a custom token. Which check failed isn't told, as the real service doesn't.
  static func message(_ error: AssertionRefusal) -> ErrorMessage {
    switch error {
    case .unknownIssuer: .init(.credentialMismatch)
    case .token(.segments):
      .init(.invalidCustomToken, "Invalid assertion format. 3 dot separated segments required.")
    case .token, .notAdministrator, .used: .init(.invalidCustomToken)
    }
  }

  /// Of an assertion at the token endpoint. ASCII without quotes and backslashes (RFC 6749 §5.2).
  static func description(_ error: AssertionRefusal) -> String {
    switch error {
    case .unknownIssuer: "No service account has the name in iss, or not with this key any more."
    case .token(let code): code.explanation
    case .notAdministrator:
      "The service account is no administrator. The command: gatehouse service-accounts grant "
        + "EMAIL admin"
    case .used: "The assertion was used before, and its jti says that it is good once."
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
    case .exists: .alreadyExists("The service account exists already.")
    case .otherProject:
      .permissionDenied("The service account's email belongs to another project.")
    case .administrator:
      .permissionDenied(
        "The service account is an administrator: its keys are changed by the command "
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
