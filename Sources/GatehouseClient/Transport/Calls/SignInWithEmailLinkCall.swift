import GatehouseProtocol

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
    NewableSignIn(tokens: try HeldTokens(response.tokens), isNewUser: response.isNewUser)
  }
}

/// The result of a sign-in that may have created the account.
struct NewableSignIn: Sendable {
  var tokens: HeldTokens
  var isNewUser: Bool
}
