import HTTPTypes
import Hummingbird

extension AppleRoutes {
  /// `POST /apple/auth/revoke`: ends the person's consent for the app, and with it all its tokens
  /// and its credential state.
  ///
  /// The response for an unknown or invalid token is the same as for a valid one (RFC 7009 §2.2).
  func revoke(_ request: Request) async throws -> Response {
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    let clientID = try authenticate(form)
    let token = try form.require("token")
    try store.withState { state throws(SimulatorError) in
      guard let issued = state.tokens[Identifier(token)], issued.grant.provider == .apple else {
        return
      }
      guard issued.grant.clientID.isSame(as: clientID) else {
        throw AppleProvider().error(for: .refreshTokenOfAnotherClient)
      }
      guard state.standingConsent(of: issued.grant) != nil else { return }
      try state.withdrawConsent(issued.grant.consentKey)
    }
    return Response(status: .ok)
  }
}
