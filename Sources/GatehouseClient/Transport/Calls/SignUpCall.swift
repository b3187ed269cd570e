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

  func answer(_ response: SessionTokens) throws(WireError) -> HeldTokens {
    try HeldTokens(response)
  }
}
