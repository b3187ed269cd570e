import GatehouseProtocol

/// `accounts:signInWithPassword` (v3 `verifyPassword`).
struct SignInWithPassword: Endpoint {
  let services: APIServices

  var routes: [Route] {
    Route.signIn("signInWithPassword", v3: "verifyPassword", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithPasswordRequest.self)
    let project = try call.requireProject()
    if !project.policies.allowsPasswords { throw AccountsError.passwordLoginDisabled }
    guard let text = request.email else { throw APIError.refused(.missingEmail) }
    let email = try EmailAddress(checking: text)
    guard let password = request.password else { throw APIError.refused(.missingPassword) }
    let signedIn = try await services.accounts.signIn(
      email: email, password: Secret(password), from: call.client, language: call.language,
      in: project, now: call.now)
    var response = SignInWithPasswordResponse(
      localID: signedIn.account.uid.text, email: email.text,
      tokens: SessionTokens(signedIn.tokens))
    response.displayName = signedIn.account.displayName
    response.photoURL = signedIn.account.photoURL
    response.notifications = project.policies.passwordPolicy
      .advisedChanges(of: Secret(password)).map {
        UserNotification(code: $0.notificationCode, message: $0.message)
      }
    return Answer(response)
  }
}
