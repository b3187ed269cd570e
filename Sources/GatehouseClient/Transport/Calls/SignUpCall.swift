import GatehouseWire

/// `accounts:signUp`: an anonymous account, an account with a password, or a password for the
/// account whose ID token is sent. Not repeated: a lost answer would leave an account that no
/// client knows of.
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
