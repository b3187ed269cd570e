import Foundation
import HTTPTypes
import Hummingbird

extension MicrosoftRoutes {
  /// `POST /microsoft/{tenant}/oauth2/v2.0/token`: `grant_type` `authorization_code` or
  /// `refresh_token`.
  func token(_ request: Request, _ context: SimulatorContext) async throws -> Response {
    let name = try context.parameters.require("tenant")
    let authority = try authority(name)
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    guard let grantType = form.filled("grant_type") else {
      throw MicrosoftError.missing("grant_type")
    }
    let clientID = try authenticate(request, form, name)
    let (now, baseURL) = (store.now, store.baseURL)
    switch grantType {
    case "authorization_code":
      guard let code = form.filled("code") else { throw MicrosoftError.missing("code") }
      let exchange = CodeExchange(
        provider: .microsoft, clientID: clientID, code: code,
        redirectURI: form.filled("redirect_uri"), codeVerifier: form.filled("code_verifier"))
      let answer = try store.withState { state in
        if let held = state.codes[Identifier(code)]?.grant.details["authority"],
          !held.isSame(as: name.foldingASCII())
        {
          throw MicrosoftError.codeOfAnotherTenant
        }
        let grant = try state.exchange(exchange, now: now)
        return try state.issueTokens(for: grant, baseURL: baseURL, now: now)
      }
      return try answer.microsoftResponse(refreshToken: answer.refreshToken)
    case "refresh_token":
      guard let token = form.filled("refresh_token") else {
        throw MicrosoftError.missing("refresh_token")
      }
      let (answer, next) = try store.withState { state in
        if let held = state.tokens[Identifier(token)]?.grant.details["tid"],
          !authority.takes(MicrosoftTenant(id: held))
        {
          throw MicrosoftError.codeOfAnotherTenant
        }
        let answer = try state.refresh(
          .microsoft, token: token, clientID: clientID, baseURL: baseURL, now: now)
        return (answer, state.nextMicrosoftToken(after: token, now: now))
      }
      return try answer.microsoftResponse(refreshToken: next)
    default:
      throw MicrosoftError.error(
        .badRequest, "unsupported_grant_type", 70_003,
        "The app requested an unsupported grant type '\(grantType.prefix(64))'.")
    }
  }

  /// Authenticates the client by a form, by Basic, or by an assertion.
  ///
  /// - Returns: The client's id.
  private func authenticate(
    _ request: Request, _ form: RequestForm, _ name: String
  ) throws(SimulatorError) -> String {
    guard form.filled("client_id") != nil || request.headers[.authorization] != nil else {
      throw MicrosoftError.missing("client_id")
    }
    let client = try ClientAuthentication(request, form)
    let (now, baseURL) = (store.now, store.baseURL)
    let audiences = ["\(baseURL)/microsoft/\(name)/oauth2/v2.0/token"]
    do throws(SimulatorError) {
      try store.withState { state throws(SimulatorError) in
        try client.check(at: .microsoft, audiences: audiences, now: now, in: &state)
      }
    } catch  where error.code == "invalid_request" {
      throw MicrosoftError.missingSecret
    } catch  where error.message == "Unauthorized" {
      throw MicrosoftError.wrongSecret
    }
    return client.clientID
  }
}

extension SimulatorState {
  /// "A new OAuth 2.0 refresh token": the old one isn't revoked.
  fileprivate mutating func nextMicrosoftToken(after token: String, now: Date) -> String? {
    guard let issued = tokens[Identifier(token)] else { return nil }
    let next = MicrosoftProvider().newRefreshToken()
    tokens.set(
      IssuedToken(kind: .refresh, grant: issued.grant, issuedAt: now, expiresAt: nil),
      for: Identifier(next))
    return next
  }
}

extension TokenAnswer {
  fileprivate func microsoftResponse(refreshToken: String?) throws -> Response {
    var members: [String: JSONValue] = [
      "token_type": "Bearer", "scope": .string(scope), "access_token": .string(accessToken),
    ]
    members["expires_in"] = expiresIn.map(JSONValue.integer)
    members["ext_expires_in"] = expiresIn.map(JSONValue.integer)
    members["refresh_token"] = refreshToken.map(JSONValue.string)
    members["id_token"] = try idToken.map { .string(try $0.signed()) }
    return try .json(.object(members))
  }
}
