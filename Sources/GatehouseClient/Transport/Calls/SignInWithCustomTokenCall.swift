import GatehouseJSON
import GatehouseWire

/// `accounts:signInWithCustomToken`: a token of the app's own back end, good for an hour.
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
