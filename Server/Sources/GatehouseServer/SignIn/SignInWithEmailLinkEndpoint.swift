import GatehouseProtocol

/// `accounts:signInWithEmailLink` (v3 `emailLinkSignin`): signs in, or links an email address, with
/// the code of a link that was sent there.
struct SignInWithEmailLink: Endpoint {
  let services: APIServices
  let links: ActionLinks

  var routes: [Route] {
    Route.signIn("signInWithEmailLink", v3: "emailLinkSignin", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithEmailLinkRequest.self)
    let project = try call.requireProject()
    if !project.policies.allowsEmailLinks { throw AccountsError.emailLinksDisabled }
    guard let text = request.email else { throw APIError.refused(.missingEmail) }
    let email = try EmailAddress(checking: text)
    guard let code = request.code else { throw APIError.refused(.missingOOBCode) }
    let signedIn = try await services.accounts.signIn(
      withEmailLinkCode: code, email: email, linkingIDToken: request.idToken,
      consent: try request.consent.map { try GivenConsent(checking: $0) }, from: call.client,
      link: try await links.maker(for: call), in: project, now: call.now)
    return Answer(
      SignInWithEmailLinkResponse(
        localID: signedIn.account.uid.text, email: email.text, isNewUser: signedIn.isNewUser,
        tokens: SessionTokens(signedIn.tokens)))
  }
}
