import HTTPTypes
import Hummingbird

extension OpenIDEndpoints {
  /// The revocation endpoint (RFC 7009). Revoking any token of a consent ends the consent, and with
  /// it all other tokens.
  ///
  /// The response for an unknown token is the same as for a known one, except with
  /// ``OpenIDKind/hasOpenRevocation``.
  func revoke(_ request: Request) async throws -> Response {
    let token = try await tokenToRevoke(request)
    let isKnown = try store.withState { state throws(SimulatorError) in
      guard let issued = state.tokens[Identifier(token)], issued.grant.provider == provider,
        state.standingConsent(of: issued.grant) != nil
      else { return false }
      try state.withdrawConsent(issued.grant.consentKey)
      return true
    }
    guard isKnown || !kind.hasOpenRevocation else {
      throw SimulatorError(.badRequest, "invalid_token", "Token expired or revoked")
    }
    return try .json([:])
  }

  private func tokenToRevoke(_ request: Request) async throws -> String {
    if kind.hasOpenRevocation, let token = try RequestForm.query(request).filled("token") {
      return token
    }
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    if !kind.hasOpenRevocation {
      _ = try authenticate(request, form)
    }
    return try form.require("token")
  }
}
