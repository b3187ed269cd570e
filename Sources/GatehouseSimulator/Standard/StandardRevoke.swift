import HTTPTypes
import Hummingbird

extension StandardRoutes {
  /// The revocation endpoint (RFC 7009). Any token of a consent ends it, and so every other token.
  ///
  /// Google asks for no client here, takes the token from the query too, and answers `invalid_token`
  /// for one it doesn't know; the generic provider answers 200.
  func revoke(_ request: Request) async throws -> Response {
    let token = try await tokenToRevoke(request)
    let isKnown = try store.withState { state throws(SimulatorError) in
      guard let issued = state.tokens[Identifier(token)], issued.grant.provider == provider,
        state.standingConsent(of: issued.grant) != nil
      else { return false }
      try state.withdrawConsent(issued.grant.consentKey)
      return true
    }
    guard isKnown || provider != .google else {
      throw SimulatorError(.badRequest, "invalid_token", "Token expired or revoked")
    }
    return try .json([:])
  }

  private func tokenToRevoke(_ request: Request) async throws -> String {
    if provider == .google, let token = try RequestForm.query(request).filled("token") {
      return token
    }
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    if provider.isGeneric {
      _ = try authenticate(request, form)
    }
    return try form.require("token")
  }
}
