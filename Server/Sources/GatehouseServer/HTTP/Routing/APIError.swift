import GatehouseProtocol

/// What a client gets in place of a response. `==` compares everything.
///
/// The errors of the API itself are values of this type. Other errors say which value they are:
/// ``APIErrorConvertible``. ``ErrorMapping`` writes it in the form that the route's clients read.
struct APIError: Error, Hashable, Sendable {
  let kind: Kind
  /// The code for clients, if the message begins with one.
  let code: ErrorCode?
  /// `CODE`, or `CODE : detail`: clients split it at the first colon, and compare the text before it.
  /// A sentence for errors that clients distinguish by their status.
  let message: String
  /// What the user has to consent to first.
  private(set) var consentRequired: ConsentRequired?
  /// When the client may try again, if the server knows. Seconds.
  private(set) var retryAfterSeconds: Int?

  private init(kind: Kind, message: String) {
    self.kind = kind
    code = nil
    self.message = message
  }

  private init(_ kind: Kind, _ code: ErrorCode, _ detail: String? = nil) {
    self.kind = kind
    self.code = code
    message = detail.map { "\(code.rawValue) : \($0)" } ?? code.rawValue
  }

  enum Kind: Hashable, Sendable {
    /// The request or one of its fields was refused, with a code for clients.
    case refused
    /// Like ``refused``, but in the administrator's configuration resources, whose errors have a
    /// status name.
    case invalidConfiguration
    case invalidArgument
    case permissionDenied
    /// A request to an administrator's path with an API key or without a credential.
    case credentialMissing
    case credentialRefused
    case notFound
    case alreadyExists
    case payloadTooLarge
    case requestTimeout
    case tooManyRequests
    /// Temporary. Only an administrator learns the cause.
    case unavailable
  }

  static func refused(_ code: ErrorCode, _ detail: String? = nil) -> APIError {
    APIError(.refused, code, detail)
  }

  static func consentRequired(_ parts: [AccountPart], _ detail: String) -> APIError {
    var error = refused(.consentRequired, detail)
    error.consentRequired = ConsentRequired(parts)
    return error
  }

  static func tooManyRequests(_ detail: String, retryAfterSeconds: Int) -> APIError {
    var error = APIError(.tooManyRequests, .tooManyAttemptsTryLater, detail)
    error.retryAfterSeconds = retryAfterSeconds
    return error
  }

  static func unavailable(retryAfterSeconds: Int) -> APIError {
    var error = unavailable
    error.retryAfterSeconds = retryAfterSeconds
    return error
  }

  static func unavailable(_ message: String) -> APIError {
    APIError(kind: .unavailable, message: message)
  }

  static func invalidConfiguration(_ code: ErrorCode, _ detail: String? = nil) -> APIError {
    APIError(.invalidConfiguration, code, detail)
  }

  static func invalidArgument(_ message: String) -> APIError {
    APIError(kind: .invalidArgument, message: message)
  }

  static func permissionDenied(_ message: String) -> APIError {
    APIError(kind: .permissionDenied, message: message)
  }

  static func permissionDenied(_ code: ErrorCode, _ detail: String) -> APIError {
    APIError(.permissionDenied, code, detail)
  }

  static func alreadyExists(_ message: String) -> APIError {
    APIError(kind: .alreadyExists, message: message)
  }

  static func alreadyExists(_ code: ErrorCode, _ detail: String) -> APIError {
    APIError(.alreadyExists, code, detail)
  }

  static func notFound(_ message: String) -> APIError {
    APIError(kind: .notFound, message: message)
  }

  static func notFound(_ code: ErrorCode) -> APIError {
    APIError(.notFound, code)
  }

  static let notFound = APIError(kind: .notFound, message: "Not Found")
  static let missingAPIKey = APIError.permissionDenied(
    "The request is missing a valid API key.")
  static let invalidAPIKey = APIError.invalidArgument(
    "API key not valid. Please pass a valid API key.")
  static let apiKeyNotEnough = APIError(
    kind: .credentialMissing,
    message: "API keys are not supported by this API. Expected OAuth2 access token or other "
      + "authentication credentials that assert a principal.")
  /// A client's API key names its project.
  static let projectOfClient = APIError.refused(
    .insufficientPermission, "Only authenticated requests can specify target_project_id.")
  static let credentialRefused = APIError(
    kind: .credentialRefused,
    message: "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
      + "cookie or other valid authentication credential.")
  /// 403, not 401: authenticating again as the same administrator would not help.
  static let otherProject = APIError.permissionDenied(
    .insufficientPermission,
    "The credential is valid, but not for this project. Use an administrator's key or a "
      + "service account of the project.")
  static let oneProject = APIError.permissionDenied(
    .insufficientPermission,
    "The credential is valid for one project only, but the request is about the server. Use an "
      + "administrator's key that is valid for all projects.")

  static func roleNotEnough(
    _ role: AdministratorRole, needed: AdministratorRole
  ) -> APIError {
    .permissionDenied(
      .insufficientPermission,
      "The credential has the role \(role.rawValue), but the request needs the role "
        + "\(needed.rawValue).")
  }
  static let configurationNotFound = APIError.refused(
    .operationNotAllowed, "The identity provider configuration is not found.")
  static let unavailable = APIError(
    kind: .unavailable, message: "The service is currently unavailable.")
  static let payloadTooLarge = APIError(
    kind: .payloadTooLarge, message: "Request payload size exceeds the limit.")
  static let brokenBody = APIError.invalidArgument("The request's body can't be read.")
  static let requestTimeout = APIError(
    kind: .requestTimeout, message: "The request took too long to arrive.")
}

/// An error that says itself what a client gets.
protocol APIErrorConvertible: Error {
  var apiError: APIError { get }
}

extension APIError: APIErrorConvertible {
  var apiError: APIError { self }
}

/// Errors that the token endpoint itself returns, in OAuth's terms (RFC 6749 §5.2).
struct OAuthError: Error, Hashable, Sendable {
  let code: String
  let description: String

  static let assertionMissing = OAuthError(
    code: "invalid_request", description: "The request has no assertion.")
}
