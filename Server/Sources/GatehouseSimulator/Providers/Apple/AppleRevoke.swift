import HTTPTypes
import Hummingbird

extension AppleRoutes {
  /// `POST /apple/auth/revoke`: ends the person's consent for the app, and with it all its tokens. The
  /// credential state becomes `revoked`.
  ///
  /// The response for an unknown or invalid token is the same as for a valid one (RFC 7009 §2.2), but
  /// a token of another client is an error. The app's server is notified of the withdrawal before
  /// this response is sent. Apple promises no order.
  func revoke(_ request: Request) async throws -> Response {
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    let clientID = try authenticate(form)
    let token = try form.require("token")
    let ended = try store.withState { state throws(SimulatorError) -> ConsentKey? in
      guard let issued = state.tokens[Identifier(token)], issued.grant.provider == .apple else {
        return nil
      }
      guard issued.grant.clientID.isSame(as: clientID) else {
        throw AppleProvider().error(for: .refreshTokenOfAnotherClient)
      }
      guard state.standingConsent(of: issued.grant) != nil else { return nil }
      try state.withdrawConsent(issued.grant.consentKey)
      return issued.grant.consentKey
    }
    if let ended { _ = try await store.tellEnded([ended], accountIsGone: false) }
    return Response(status: .ok)
  }
}
