import GatehouseJSON
import GatehouseWire

/// `accounts:signInWithCustomToken`: signs in with a token of the app's own back end, which is
/// valid for an hour and may be sent again.
struct SignInWithCustomTokenCall: ServerCall {
  var token: String

  var path: String { "v1/accounts:signInWithCustomToken" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) {
    SignInWithCustomTokenRequest(token: token).writeMembers(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) -> NewableSignIn {

    let answer = try SignInWithCustomTokenResponse(fields)
    return NewableSignIn(
      tokens: try HeldTokens(answer.tokens), isNewUser: answer.isNewUser)
  }
}
