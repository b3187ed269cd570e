import GatehouseProtocol

/// `accounts:signInWithCustomToken` (v3 `verifyCustomToken`).
struct SignInWithCustomToken: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    Route.signIn("signInWithCustomToken", v3: "verifyCustomToken", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithCustomTokenRequest.self)
    let project = try call.requireProject()
    guard let token = request.token else { throw APIError.refused(.missingCustomToken) }
    let signedIn =
      if configuration.development != nil {
        // Every caller of a development server is its administrator.
        try await services.accounts.signIn(
          customTokenBelievingAnybody: token, language: call.language, in: project, now: call.now)
      } else {
        try await services.accounts.signIn(
          customToken: token, language: call.language, in: project, now: call.now)
      }
    return Answer(
      SignInWithCustomTokenResponse(
        isNewUser: signedIn.isNewUser, tokens: SessionTokens(signedIn.tokens)))
  }
}
