import GatehouseProtocol
import GatehouseTokens
import HTTPTypes
import Hummingbird
import NIOCore

/// Maps an error to a response. Errors of every layer get their status and message here, except
/// those that a page shows to a user (``ActionPageFault``, ``HandlerFault``).
struct ErrorMapping: Sendable {
  let status: HTTPResponse.Status
  private(set) var body: any WireResponse
  /// The error's message, if it has one.
  private(set) var message: String?
  /// When the client may try again, if the server knows. Seconds.
  private(set) var retryAfterSeconds: Int?
  /// The error is unexpected: it is logged as an error, and the response reveals nothing about it.
  private(set) var isUnexpected = false

  init(_ error: any Error, envelope: Route.Envelope) {
    switch error {
    case let error as APIError: self.init(error, envelope)
    case let error as AccountsError: self.init(error, envelope)
    case let error as FederationError:
      self.init(.refused(Self.message(error)), envelope)
    case let error as CustomClaimsError: self.init(.refused(Self.message(error)), envelope)
    case let error as AssertionRefusal: self.init(error, envelope)
    case let error as OAuthError: self.init(error)
    case let error as CustomTokenError: self.init(.refused(Self.message(error)), envelope)
    case let error as ServiceAccountError: self.init(Self.refusal(error), envelope)
    case let error as PublicKeyError:
      self.init(.invalidArgument(Self.message(error)), envelope)
    case let error as PublicKeyFileError:
      self.init(.invalidArgument(error.description), envelope)
    case let error as HashSchemeError: self.init(.refused(error.code), envelope)
    case let error as ProfileBounds.Fault: self.init(.refused(Self.message(error)), envelope)
    case let error as WireError: self.init(.invalidArgument(error.description), envelope)
    case let error as StoreError: self.init(error, envelope)
    case let error as WatchRefusal: self.init(error)
    case is NIOTooManyBytesError: self.init(.payloadTooLarge, envelope)
    default: self.init(unexpected: envelope)
    }
  }

  private init(_ error: APIError, _ envelope: Route.Envelope) {
    let detail = ErrorBody.Detail(message: error.message, reason: error.kind.reason)
    switch (error.kind, envelope) {
    case (.refused, .identityToolkit):
      self.init(.badRequest, error.message, details: [detail])
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
  }

  private init(_ error: AccountsError, _ envelope: Route.Envelope) {
    switch error {
    case .overloaded, .messageNotDelivered:
      self.init(.serviceUnavailable, "The service is currently unavailable.", .unavailable)
    case .consentRequired(let parts):
      let message = Self.message(error).text
      self.init(
        .badRequest, message, details: [.init(message: message, reason: "invalid")],
        consentRequired: ConsentRequired(parts))
    default: self.init(.refused(Self.message(error)), envelope)
    }
  }

  private init(_ error: StoreError, _ envelope: Route.Envelope) {
    switch error {
    case .unavailable, .uncertain, .closed:
      self.init(.serviceUnavailable, "The service is currently unavailable.", .unavailable)
    case .zeroCharacter:
      self.init(.invalidArgument("A text contains the character U+0000."), envelope)
    // Two transactions raced for one value: the second one's own check ran before the first one was
    // committed.
    case .conflict(.email): self.init(AccountsError.emailExists, envelope)
    case .conflict(.phoneNumber): self.init(AccountsError.phoneNumberExists, envelope)
    case .conflict(.uid): self.init(AccountsError.duplicateLocalID, envelope)
    case .conflict(.identity): self.init(AccountsError.identityLinkedElsewhere, envelope)
    case .conflict(.serviceAccount):
      self.init(Self.refusal(ServiceAccountError.otherProject), envelope)
    case .conflict(.project), .conflict(.apiKey), .conflict(.provider), .conflict(.other),
      .readOnly, .damaged:
      self.init(unexpected: envelope)
    }
  }

  private init(_ error: WatchRefusal) {
    switch error {
    case .full, .closing:
      self.init(.serviceUnavailable, "The service is currently unavailable.", .unavailable)
    case .address:
      let message = ErrorMessage(
        .tooManyAttemptsTryLater, "This address has too many streams of events.")
      self.init(.tooManyRequests, message.text, .resourceExhausted)
    }
    retryAfterSeconds = error.retryAfterSeconds
  }

  /// For a custom token, or an assertion at the token endpoint.
  private init(_ error: AssertionRefusal, _ envelope: Route.Envelope) {
    switch envelope {
    case .identityToolkit: self.init(.refused(Self.message(error)), envelope)
    case .secureToken, .page:
      self.init(OAuthError(code: "invalid_grant", description: Self.description(error)))
    }
  }

  private init(_ error: OAuthError) {
    status = .badRequest
    body = OAuthErrorBody(error: error.code, description: error.description)
  }

  private init(unexpected envelope: Route.Envelope) {
    self.init(.internalServerError, "Internal error encountered.", .internalError)
    isUnexpected = true
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
