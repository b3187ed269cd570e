import GatehouseProtocol

/// `accounts:signUp` (v3 `signupNewUser`) of a client: creates an anonymous account or one with a
/// password, or adds a password to the signed-in account. `photoUrl` is ignored, as in Google's
/// service. ``CreateAccount`` handles an administrator's request.
struct SignUp: Endpoint {
  let services: APIServices
  let links: ActionLinks

  var routes: [Route] {
    Route.signIn("signUp", v3: "signupNewUser", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    if call.isAdministrator { return try await CreateAccount(services: services).answer(call) }
    let request = try call.request(SignUpRequest.self)
    if request.localID != nil { throw APIError.refused(.unexpectedParameter, "User ID") }
    if request.hasSecondFactor { throw SecondFactors.refusal("mfaInfo") }
    try ProfileBounds.check(displayName: request.displayName, photoURL: nil)
    let signedIn = try await signUp(request, try call.requireProject(), call)
    var response = SignUpResponse(localID: signedIn.account.uid.text)
    response.email = signedIn.account.email?.text
    response.displayName = signedIn.account.displayName
    response.tokens = SessionTokens(signedIn.tokens)
    return Answer(response)
  }

  private func signUp(
    _ request: SignUpRequest, _ project: Project, _ call: Call
  ) async throws -> SignedIn {
    let isEmpty = { (text: String?) in text?.isEmpty ?? true }
    if request.idToken == nil, isEmpty(request.email), isEmpty(request.password) {
      // An empty form isn't a request for an anonymous account.
      if request.email != nil { throw APIError.refused(.invalidEmail) }
      if request.password != nil { throw APIError.refused(.missingEmail) }
      return try await services.accounts.signUpAnonymously(
        from: call.client, language: call.language, in: project, now: call.now)
    }
    guard let text = request.email, !text.isEmpty else { throw APIError.refused(.missingEmail) }
    guard let password = request.password, !password.isEmpty else {
      throw APIError.refused(.missingPassword)
    }
    let email = try EmailAddress(checking: text)
    if let idToken = request.idToken {
      return try await services.accounts.upgrade(
        idToken: idToken, email: email, password: Secret(password),
        displayName: request.displayName,
        consent: try request.consent.map { try GivenConsent(checking: $0) }, from: call.client,
        link: try await links.maker(for: call), in: project, now: call.now)
    }
    return try await services.accounts.signUp(
      email: email, password: Secret(password), displayName: request.displayName, from: call.client,
      language: call.language, in: project, now: call.now)
  }
}

extension EmailAddress {
  /// - Throws: ``APIError`` with `INVALID_EMAIL`.
  init(checking text: String) throws(APIError) {
    guard let address = EmailAddress(text) else { throw .refused(.invalidEmail) }
    self = address
  }
}
