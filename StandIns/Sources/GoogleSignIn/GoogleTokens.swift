import Foundation
import SimulatedDevice

/// What Google's SDK stores about a user in the keychain.
struct GoogleTokens: Sendable {
  var clientID: String
  var idToken: String
  var accessToken: String
  var refreshToken: String
  var accessTokenExpires: Date
  var scopes: [String]

  private struct SignInBody: Decodable {
    var idToken: String
    var accessToken: String
    var refreshToken: String
    var serverAuthCode: String?
    var expiresIn: Double
  }

  private struct Question: Encodable {
    var client_id: String
    var server_client_id: String?
    var nonce: String?
    var person: String
  }

  private struct TokenBody: Decodable {
    var access_token: String
    var id_token: String?
    var refresh_token: String?
    var expires_in: Double
  }

  private struct Refusal: Decodable {
    var error: String
    var error_description: String?
  }

  /// Signs in on the consent page, on which the user agreed.
  static func signIn(_ configuration: GIDConfiguration, nonce: String?) async throws
    -> (GoogleTokens, serverAuthCode: String?)
  {
    let device = SimulatedDevice.current
    let question = Question(
      client_id: configuration.clientID, server_client_id: configuration.serverClientID,
      nonce: nonce, person: device.person)
    let reply = try await call {
      try await SimulatorCall.post("/google/native-sign-in", json: question)
    }
    guard reply.status == 200 else { throw GIDSignInError(.unknown) }
    let body = try reply.decode(SignInBody.self)
    let tokens = GoogleTokens(
      clientID: configuration.clientID, idToken: body.idToken, accessToken: body.accessToken,
      refreshToken: body.refreshToken,
      accessTokenExpires: SimulatedDevice.now.addingTimeInterval(body.expiresIn),
      scopes: ["openid", "email", "profile"])
    return (tokens, body.serverAuthCode)
  }

  /// - Throws: An error of AppAuth's domain if Google refuses, with `invalid_grant` after a
  ///   revocation.
  func refreshed() async throws -> GoogleTokens {
    let reply = try await Self.call {
      try await SimulatorCall.post(
        "/google/token",
        form: [
          "grant_type": "refresh_token", "refresh_token": refreshToken, "client_id": clientID,
        ])
    }
    guard reply.status == 200 else {
      let refusal = try reply.decode(Refusal.self)
      throw tokenEndpointError(refusal.error, refusal.error_description)
    }
    let body = try reply.decode(TokenBody.self)
    var new = self
    new.accessToken = body.access_token
    new.idToken = body.id_token ?? idToken
    new.refreshToken = body.refresh_token ?? refreshToken
    new.accessTokenExpires = SimulatedDevice.now.addingTimeInterval(body.expires_in)
    return new
  }

  func revoke() async throws {
    let reply = try await Self.call {
      try await SimulatorCall.post("/google/revoke", form: ["token": accessToken])
    }
    // Revoking a revoked token counts as done.
    guard reply.status == 200 || reply.status == 400 else { throw GIDSignInError(.unknown) }
  }

  private static func call(_ body: () async throws -> SimulatorCall) async throws -> SimulatorCall {
    do { return try await body() } catch is SimulatorCall.Unreachable { throw offlineError() }
  }
}
