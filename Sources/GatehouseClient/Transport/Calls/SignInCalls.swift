import GatehouseProtocol

/// `accounts:signUp`: creates an anonymous account or an account with a password, or adds a
/// password to the account whose ID token is sent. Not repeated: if the first attempt succeeded, a
/// second one would create another anonymous account, or fail.
struct SignUpCall: ServerCall {
  var idToken: String?
  var email: String?
  var password: String?
  var consent: Consent?

  var path: String { "v1/accounts:signUp" }

  var request: SignUpRequest {
    var request = SignUpRequest()
    request.idToken = idToken
    request.email = email
    request.password = password
    request.consent = consent.map { ConsentMessage($0) }
    return request
  }

  func answer(_ response: FirstFactorOutcome) throws(WireError) -> FirstFactorAnswer {
    try FirstFactorAnswer(response)
  }
}

/// `accounts:signInWithPassword`.
struct SignInWithPasswordCall: ServerCall {
  var email: String
  var password: String

  var path: String { "v1/accounts:signInWithPassword" }
  /// If a response is lost, the session that it began is never used, and expires.
  var isRepeatable: Bool { true }

  var request: SignInWithPasswordRequest {
    SignInWithPasswordRequest(email: email, password: password)
  }

  func answer(_ response: FirstFactorOutcome) throws(WireError) -> FirstFactorAnswer {
    try FirstFactorAnswer(response)
  }
}

/// `accounts:signInWithEmailLink`. The code can be used once.
struct SignInWithEmailLinkCall: ServerCall {
  var email: String
  var code: String
  var idToken: String?
  var consent: Consent?

  var path: String { "v1/accounts:signInWithEmailLink" }

  var request: SignInWithEmailLinkRequest {
    var request = SignInWithEmailLinkRequest(email: email, code: code)
    request.idToken = idToken
    request.consent = consent.map { ConsentMessage($0) }
    return request
  }

  func answer(_ response: SignInWithEmailLinkResponse) throws(WireError) -> NewableSignIn {
    NewableSignIn(
      answer: try FirstFactorAnswer(response.tokens, response.secondFactor),
      isNewUser: response.isNewUser)
  }
}

/// The result of a sign-in that may have created the account.
struct NewableSignIn: Sendable {
  var answer: FirstFactorAnswer
  var isNewUser: Bool
}

/// `accounts:signInWithCustomToken`: signs in with a token of the app's own back end, which is
/// valid for an hour and may be sent again.
struct SignInWithCustomTokenCall: ServerCall {
  var token: String

  var path: String { "v1/accounts:signInWithCustomToken" }
  var isRepeatable: Bool { true }

  var request: SignInWithCustomTokenRequest { SignInWithCustomTokenRequest(token: token) }

  func answer(_ response: SignInWithCustomTokenResponse) throws(WireError) -> NewableSignIn {
    NewableSignIn(
      answer: try FirstFactorAnswer(response.tokens, response.secondFactor),
      isNewUser: response.isNewUser)
  }
}

/// `accounts:createAuthUri`: the sign-in methods of an email address.
struct CreateAuthURICall: ServerCall {
  var email: String

  var path: String { "v1/accounts:createAuthUri" }
  var isRepeatable: Bool { true }

  var request: CreateAuthURIRequest {
    CreateAuthURIRequest(identifier: email, continueURI: "http://localhost")
  }

  func answer(_ response: CreateAuthURIResponse) throws(WireError) -> [String] {
    response.registration?.signInMethods ?? []
  }
}

/// `nonces`: the server creates a nonce for the next sign-in or link.
struct NonceCall: ServerCall {
  var idToken: String?

  var path: String { "v1/nonces" }
  var isRepeatable: Bool { true }

  var request: NonceRequest { NonceRequest(idToken: idToken) }

  func answer(_ response: NonceResponse) throws(WireError) -> ServerNonce {
    ServerNonce(nonce: Nonce(raw: response.nonce), sessionID: response.sessionID)
  }
}

/// `projects`: the domains that the project authorizes.
struct ProjectCall: ServerCall {
  var path: String { "v1/projects" }
  var method: TransportRequest.Method { .get }
  var isRepeatable: Bool { true }

  /// Not sent: a GET has no body.
  var request: EmptyResponse { EmptyResponse() }

  func answer(_ response: ProjectResponse) throws(WireError) -> [String] {
    response.authorizedDomains
  }
}
