import GatehouseProtocol

/// `accounts:signInWithPhoneNumber` (v3 `verifyPhoneNumber`): signs in, links or re-authenticates
/// with the code that was sent to a number.
///
/// If another account has the number to be linked, the response has status 200, a `temporaryProof`
/// and no tokens. With this proof and the `phoneNumber`, the same method signs in to that account.
struct SignInWithPhoneNumber: Endpoint {
  let services: APIServices

  var routes: [Route] {
    Route.signIn("signInWithPhoneNumber", v3: "verifyPhoneNumber", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithPhoneNumberRequest.self)
    let project = try call.requireProject()
    if !project.policies.phone.isEnabled { throw AccountsError.phoneSignInDisabled }
    let proof = try Self.proof(request)
    var options = PhoneSignInOptions(
      operation: try Self.operation(request), idToken: request.idToken)
    options.consent = try request.consent.map { try GivenConsent(checking: $0) }
    options.client = call.client
    options.language = call.language
    switch try await services.accounts.signIn(
      with: proof, options: options, in: project, now: call.now)
    {
    case .signedIn(let signedIn, let number):
      return Answer(
        SignInWithPhoneNumberResponse(
          phoneNumber: number.text,
          outcome: .signedIn(
            localID: signedIn.account.uid.text, isNewUser: signedIn.isNewUser,
            tokens: SessionTokens(signedIn.tokens))))
    case .numberInUse(let number, let proof, let seconds):
      return Answer(
        SignInWithPhoneNumberResponse(
          phoneNumber: number.text, outcome: .temporaryProof(proof, expiresInSeconds: seconds)))
    }
  }

  private static func proof(
    _ request: SignInWithPhoneNumberRequest
  ) throws(APIError) -> PhoneProof {
    if let proof = request.temporaryProof {
      guard let number = request.phoneNumber else { throw .refused(.missingPhoneNumber) }
      return .temporary(proof: proof, of: try PhoneNumber(checking: number))
    }
    guard let sessionInfo = request.sessionInfo else { throw .refused(.missingSessionInfo) }
    guard let code = request.code else { throw .refused(.missingCode) }
    return .code(sessionInfo: sessionInfo, code: Secret(code))
  }

  private static func operation(
    _ request: SignInWithPhoneNumberRequest
  ) throws(APIError) -> PhoneOperation {
    switch request.operation {
    case nil, .signUpOrIn: return .signInOrUpdate
    case .reauthenticate: return .reauthenticate
    case .link, .update:
      guard request.idToken != nil else { throw .refused(.missingIDToken) }
      return request.operation == .link ? .link : .signInOrUpdate
    }
  }
}
