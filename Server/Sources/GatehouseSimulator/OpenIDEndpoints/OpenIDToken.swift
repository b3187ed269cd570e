import HTTPTypes
import Hummingbird

extension OpenIDEndpoints {
  /// The token endpoint: `grant_type` `authorization_code` or `refresh_token`.
  func token(_ request: Request) async throws -> Response {
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    let grantType = try form.require("grant_type")
    let client = try authenticate(request, form)
    let (now, baseURL) = (store.now, store.baseURL)
    let answer: TokenAnswer
    switch grantType {
    case "authorization_code":
      let exchange = CodeExchange(
        provider: provider, clientID: client.clientID, code: try form.require("code"),
        redirectURI: form.filled("redirect_uri"), codeVerifier: form.filled("code_verifier"))
      answer = try store.withState { state in
        let grant = try state.exchange(exchange, now: now)
        return try state.issueTokens(for: grant, baseURL: baseURL, now: now)
      }
    case "refresh_token":
      let token = try form.require("refresh_token")
      answer = try store.withState { state in
        try state.refresh(
          provider, token: token, clientID: client.clientID, baseURL: baseURL, now: now)
      }
    default:
      throw SimulatorError(
        .badRequest, "unsupported_grant_type", "Invalid grant_type: \(grantType.prefix(64))")
    }
    return try answer.response(withScope: true)
  }
}

extension OpenIDEndpoints {
  /// - Throws: `invalid_request`, `invalid_client`.
  func authenticate(_ request: Request, _ form: RequestForm) throws(SimulatorError)
    -> ClientAuthentication
  {
    let client = try ClientAuthentication(request, form)
    let (now, baseURL) = (store.now, store.baseURL)
    let audiences = [
      provider.issuer(baseURL: baseURL), "\(baseURL)/\(provider.rawValue)/\(paths.token)",
    ]
    try store.withState { state throws(SimulatorError) in
      try client.check(at: provider, audiences: audiences, now: now, in: &state)
    }
    return client
  }
}
