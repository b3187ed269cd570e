import GatehouseAccounts
import GatehouseTokens

/// How refusals of what a project's own back end signs, claims and uploads are worded on the wire.
extension ErrorMapping {
  static func message(_ error: CustomClaimsError) -> String {
    switch error {
    case .invalid: "INVALID_CLAIMS"
    case .tooLarge: "CLAIMS_TOO_LARGE"
    case .forbidden(let name): "FORBIDDEN_CLAIM : \(name)"
    }
  }

  /// Of a custom token. Which check failed isn't told, as the real service doesn't.
  static func message(_ error: AssertionRefusal) -> String {
    switch error {
    case .unknownIssuer: "CREDENTIAL_MISMATCH"
    case .token(.segments):
      "INVALID_CUSTOM_TOKEN : Invalid assertion format. 3 dot separated segments required."
    case .token, .notAdministrator, .used: "INVALID_CUSTOM_TOKEN"
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

  static func message(_ error: CustomTokenError) -> String {
    switch error {
    case .uidMissing: "MISSING_IDENTIFIER"
    case .uidLength:
      "INVALID_IDENTIFIER : Invalid user ID length. Expect to have length between 1 and 128."
    case .uidCharacters: "INVALID_IDENTIFIER : A user ID has no control characters."
    case .tenant: "TENANT_ID_MISMATCH"
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
