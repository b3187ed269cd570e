import GatehouseProtocol

/// `accounts:signInWithCustomToken`: signs in with a token of the app's own back end, which is
/// valid for an hour and may be sent again.
struct SignInWithCustomTokenCall: ServerCall {
  var token: String

  var path: String { "v1/accounts:signInWithCustomToken" }
  var isRepeatable: Bool { true }

  var request: SignInWithCustomTokenRequest { SignInWithCustomTokenRequest(token: token) }

  func answer(_ response: SignInWithCustomTokenResponse) throws(WireError) -> NewableSignIn {
    NewableSignIn(tokens: try HeldTokens(response.tokens), isNewUser: response.isNewUser)
  }
}
