import GatehouseAccounts
import GatehouseModel
import GatehouseWire

/// Secure Token's `token`: new tokens for a refresh token, as a form or as JSON.
struct Token: Sendable {
  let services: APIServices

  func answer(_ call: Call) async throws -> Answer {
    let request =
      if let form = call.form { TokenRequest(form: form) } else {
        try call.request(TokenRequest.self)
      }
    guard let grantType = request.grantType else { throw APIError.refused("MISSING_GRANT_TYPE") }
    guard grantType == .refreshToken else { throw APIError.refused("INVALID_GRANT_TYPE") }
    guard let refreshToken = request.refreshToken else {
      throw APIError.refused("MISSING_REFRESH_TOKEN")
    }
    let project = try call.requireProject()
    let refreshed = try await services.accounts.refresh(
      refreshToken, in: project, now: call.now)
    return Answer(
      TokenResponse(
        idToken: refreshed.tokens.idToken, refreshToken: refreshed.tokens.refreshToken,
        expiresInSeconds: refreshed.tokens.expiresInSeconds, userID: refreshed.account.uid.text,
        projectNumber: String(project.number)))
  }
}
