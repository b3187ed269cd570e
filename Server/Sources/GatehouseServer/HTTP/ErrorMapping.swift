import GatehouseTokens
import GatehouseProtocol
import HTTPTypes
import Hummingbird
import NIOCore

/// Writes an error as a response, in the form that the route's clients read. An error says itself what
/// a client gets (``APIErrorConvertible``), except those of other modules and of the store, which are here,
/// and those that a page shows to a user (``ActionPageFault``, ``HandlerFault``).
struct ErrorMapping: Sendable {
  let status: HTTPResponse.Status
  private(set) var body: any WireResponse
  /// The error's message, if it has one.
  private(set) var message: String?
  /// As ``APIError/retryAfterSeconds``.
  private(set) var retryAfterSeconds: Int?
  /// The error is unexpected: it is logged as an error, and the response reveals nothing about it.
  private(set) var isUnexpected = false

  init(_ error: any Error, envelope: Route.Envelope) {
    switch error {
    case let error as OAuthError: self.init(error)
    // At the token endpoint. A custom token has the same errors, in Identity Toolkit's form.
    case let error as AssertionRefusal where envelope != .identityToolkit:
      self.init(OAuthError(code: "invalid_grant", description: error.oauthDescription))
    default:
      if let known = Self.apiError(error) {
        self.init(known, envelope)
      } else {
        self.init(.internalServerError, "Internal error encountered.", .internalError)
        isUnexpected = true
      }
    }
  }

  /// Nil for an unexpected error.
  private static func apiError(_ error: any Error) -> APIError? {
    switch error {
    case let error as any APIErrorConvertible: error.apiError
    case let error as StoreError: error.apiError
    case let error as WireError: .invalidArgument(error.description)
    case is NIOTooManyBytesError: .payloadTooLarge
    default: nil
    }
  }

  private init(_ error: APIError, _ envelope: Route.Envelope) {
    let detail = ErrorBody.Detail(message: error.message, reason: error.kind.reason)
    switch (error.kind, envelope) {
    case (.refused, .identityToolkit):
      self.init(
        .badRequest, error.message, details: [detail], consentRequired: error.consentRequired)
    case (.credentialMissing, .identityToolkit):
      self.init(
        .unauthorized, error.message, .unauthenticated,
        details: [.init(message: "Login Required.", reason: "required", header: "Authorization")])
    case (.credentialRefused, .identityToolkit):
      self.init(
        .unauthorized, error.message, .unauthenticated,
        details: [
          .init(message: "Invalid Credentials", reason: "authError", header: "Authorization")
        ])
    case (.invalidArgument, .identityToolkit), (.permissionDenied, .identityToolkit),
      (.payloadTooLarge, .identityToolkit), (.requestTimeout, .identityToolkit):
      self.init(error.kind.status, error.message, error.kind.statusName, details: [detail])
    default: self.init(error.kind.status, error.message, error.kind.statusName)
    }
    retryAfterSeconds = error.retryAfterSeconds
  }

  private init(_ error: OAuthError) {
    status = .badRequest
    body = OAuthErrorBody(error: error.code, description: error.description)
  }

  private init(
    _ status: HTTPResponse.Status, _ message: String, _ name: StatusName? = nil,
    details: [ErrorBody.Detail] = [], consentRequired: ConsentRequired? = nil
  ) {
    self.status = status
    self.message = message
    var body = ErrorBody(
      code: status.code, message: message, status: name?.rawValue, details: details)
    body.consentRequired = consentRequired
    self.body = body
  }

  /// The same error as apps get it: the body of a temporary error (5xx or 408) has its message only in
  /// the list `errors`.
  ///
  /// When a page loads, Google's SDK for JavaScript asks for the account. After an error with a message
  /// that it doesn't know, it signs the user out and deletes the session. It takes a body without a message
  /// for a failure of the network: then it keeps the user and tries again later.
  var forApps: ErrorMapping {
    guard status.kind == .serverError || status == .requestTimeout, let own = body as? ErrorBody
    else { return self }
    var copy = self
    copy.body = ErrorBody(
      code: own.code, message: "", status: own.status,
      details: [ErrorBody.Detail(message: own.message, reason: "backendError")])
    return copy
  }
}

/// The names of `google.rpc.Code` that responses contain next to their message.
private enum StatusName: String {
  case invalidArgument = "INVALID_ARGUMENT"
  case unauthenticated = "UNAUTHENTICATED"
  case permissionDenied = "PERMISSION_DENIED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case unavailable = "UNAVAILABLE"
  case internalError = "INTERNAL"
}

extension APIError.Kind {
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .refused, .invalidConfiguration, .invalidArgument: .badRequest
    case .permissionDenied: .forbidden
    case .credentialMissing, .credentialRefused: .unauthorized
    case .notFound: .notFound
    case .alreadyExists: .conflict
    case .payloadTooLarge: .contentTooLarge
    case .requestTimeout: .requestTimeout
    case .tooManyRequests: .tooManyRequests
    case .unavailable: .serviceUnavailable
    }
  }

  fileprivate var statusName: StatusName {
    switch self {
    case .refused, .invalidConfiguration, .invalidArgument, .payloadTooLarge: .invalidArgument
    case .permissionDenied: .permissionDenied
    case .credentialMissing, .credentialRefused: .unauthenticated
    case .notFound: .notFound
    case .alreadyExists: .alreadyExists
    case .requestTimeout: .deadlineExceeded
    case .tooManyRequests: .resourceExhausted
    case .unavailable: .unavailable
    }
  }

  fileprivate var reason: String {
    switch self {
    case .permissionDenied: "forbidden"
    case .notFound: "notFound"
    case .payloadTooLarge: "uploadTooLarge"
    case .invalidArgument: "badRequest"
    default: "invalid"
    }
  }
}

extension StoreError {
  /// Nil for an unexpected error.
  fileprivate var apiError: APIError? {
    switch self {
    case .unavailable, .uncertain, .closed: .unavailable
    case .zeroCharacter: .invalidArgument("A text contains the character U+0000.")
    // Two transactions raced for one value: the second one's own check ran before the first one was
    // committed.
    case .conflict(.email): AccountsError.emailExists.apiError
    case .conflict(.phoneNumber): AccountsError.phoneNumberExists.apiError
    case .conflict(.uid): AccountsError.duplicateLocalID.apiError
    case .conflict(.identity): AccountsError.identityLinkedElsewhere.apiError
    case .conflict(.serviceAccount): ServiceAccountError.otherProject.apiError
    case .conflict(.project), .conflict(.apiKey), .conflict(.provider), .conflict(.other),
      .readOnly, .damaged:
      nil
    }
  }
}

extension CustomClaimsError: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .invalid: .refused(.invalidClaims)
    case .tooLarge: .refused(.claimsTooLarge)
    case .forbidden(let name): .refused(.forbiddenClaim, name)
    }
  }
}
