import GatehouseJSON
import GatehouseWire

/// `accounts:signInWithEmailLink`. The code can be used once.
struct SignInWithEmailLinkCall: ServerCall {
  var email: String
  var code: String
  var idToken: String?
  var consent: Consent?

  var path: String { "v1/accounts:signInWithEmailLink" }

  func write(to writer: inout JSONWriter) {
    writer.member("email", email)
    writer.member("oobCode", code)
    writer.member("idToken", ifPresent: idToken)
    writer.member("returnSecureToken", true)
    consent?.write(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) -> NewableSignIn {
    try NewableSignIn(fields)
  }
}

/// The answer of a sign-in that may have created the account.
struct NewableSignIn: Sendable {
  var tokens: HeldTokens
  var isNewUser: Bool

  init(tokens: HeldTokens, isNewUser: Bool) {
    self.tokens = tokens
    self.isNewUser = isNewUser
  }

  init(_ fields: WireFields) throws(WireError) {
    tokens = try fields.requiredTokens()
    isNewUser = try fields.bool("isNewUser") ?? false
  }
}
