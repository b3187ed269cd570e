import HTTPTypes
import Hummingbird

extension AppleRoutes {
  /// `POST /apple/auth/token`: `grant_type` `authorization_code`, `refresh_token`, or
  /// `client_credentials` for the transfer of an app.
  func token(_ request: Request) async throws -> Response {
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    let grantType = try form.require("grant_type")
    let clientID = try authenticate(form)
    let (now, baseURL) = (store.now, store.baseURL)
    let answer: TokenAnswer
    switch grantType {
    case "authorization_code":
      let exchange = CodeExchange(
        provider: .apple, clientID: clientID, code: try form.require("code"),
        redirectURI: form.filled("redirect_uri"), codeVerifier: form.filled("code_verifier"))
      answer = try store.withState { state in
        let grant = try state.exchange(exchange, now: now)
        return try state.issueTokens(for: grant, baseURL: baseURL, now: now)
      }
    case "refresh_token":
      let token = try form.require("refresh_token")
      answer = try store.withState { state in
        try state.refresh(.apple, token: token, clientID: clientID, baseURL: baseURL, now: now)
      }
    case "client_credentials":
      return try migrationToken(form, clientID)
    default:
      throw SimulatorError(
        .badRequest, "unsupported_grant_type",
        "grant_type must be authorization_code, refresh_token or client_credentials.")
    }
    return try answer.response(withScope: false)
  }

  /// - Returns: The client id.
  /// - Throws: `invalid_request` if the id or the secret is missing; `invalid_client`.
  func authenticate(_ form: RequestForm) throws(SimulatorError) -> String {
    let clientID = try form.require("client_id")
    let secret = try form.require("client_secret")
    let (teamID, keys) = store.withState { state in
      (state.clients.registeredAppleTeam(of: clientID), state[AppleState.self].teamKeys)
    }
    try AppleClientSecret(clientID: clientID, teamID: teamID, keys: keys, now: store.now)
      .verify(secret)
    return clientID
  }
}
