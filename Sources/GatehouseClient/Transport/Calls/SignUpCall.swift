import GatehouseJSON
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

  func write(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("email", ifPresent: email)
    writer.member("password", ifPresent: password)
    writer.member("returnSecureToken", true)
    consent?.write(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) -> HeldTokens {
    try fields.requiredTokens()
  }
}
