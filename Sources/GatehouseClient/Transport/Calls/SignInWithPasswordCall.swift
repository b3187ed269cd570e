import GatehouseProtocol

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

  func answer(_ response: SessionTokens) throws(WireError) -> HeldTokens {
    try HeldTokens(response)
  }
}
