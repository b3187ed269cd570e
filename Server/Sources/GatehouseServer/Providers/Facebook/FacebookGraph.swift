import GatehouseProtocol

import struct Foundation.Date

/// The Graph API, called as our app: asks about an access token and its user, and revokes access.
///
/// ```
///   GET    debug_token     ?input_token=…                  Authorization: Bearer <app id>|<secret>
///   GET    me              ?fields=…&appsecret_proof=…     Authorization: Bearer <access token>
///   DELETE me/permissions  ?appsecret_proof=…              Authorization: Bearer <access token>
///   DELETE <user id>/permissions                           Authorization: Bearer <app id>|<secret>
/// ```
///
/// Every sign-in with an access token makes two calls, and no response is cached: Facebook may end
/// a token at any time.
struct FacebookGraph: Sendable {
  /// In the order in which Firebase requests them.
  static let fields = "id,name,email,first_name,last_name,picture"

  let endpoints: FacebookEndpoints
  let app: FacebookApp
  let context: ProviderContext

  /// What Facebook says about `token`. Checks that it is a user's token and was issued to our app.
  ///
  /// - Throws: ``FederationError/accessToken(_:)``; ``FederationError/inspectionRefused(_:)`` if
  ///   Facebook gives no information; ``FederationError/refusedByProvider(status:error:)`` if the
  ///   response isn't one of the API; ``FederationError/unreachable(_:)`` if there is no response.
  func inspect(
    _ token: BearerToken, clockSkewSeconds: Int, now: Date
  ) async throws(FederationError) -> AccessTokenInspection {
    let answer = try await inspectionAnswer(of: token)
    guard let data = answer["data"]?.object else { throw .accessToken(.unreadable) }
    return try AccessTokenInspection(
      data, appID: app.id, clockSkewSeconds: clockSkewSeconds, now: now)
  }

  /// The response of `debug_token`; its `data` may say that the token is invalid.
  func inspectionAnswer(of token: BearerToken) async throws(FederationError) -> JSONObject {
    do throws(Refusal) {
      return try await ask(
        OutboundRequest(
          endpoints.inspection, query: [.init("input_token", token.secret)],
          authorization: app.authorization))
    } catch {
      throw error.complaint.map { FederationError.inspectionRefused($0) } ?? error.cause
    }
  }

  /// The profile of the token's user. Each of the fields may be absent.
  ///
  /// - Throws: ``FederationError/accessToken(_:)`` if Facebook rejects the token; otherwise as
  ///   ``inspect(_:clockSkewSeconds:now:)``.
  func profile(of token: BearerToken) async throws(FederationError) -> JSONObject {
    do throws(Refusal) {
      return try await ask(
        OutboundRequest(
          endpoints.profile,
          query: [
            .init("fields", Self.fields), .init("appsecret_proof", app.proof(of: token)),
          ], authorization: token.authorization))
    } catch {
      throw error.complaint.map { FederationError.accessToken(.refused($0)) } ?? error.cause
    }
  }

  /// Revokes every permission that the user granted to the app, which ends the access tokens
  /// (<https://developers.facebook.com/docs/graph-api/reference/user/permissions>).
  func revoke(_ token: BearerToken) async throws(FederationError) {
    var request = OutboundRequest(
      endpoints.permissions, query: [.init("appsecret_proof", app.proof(of: token))],
      authorization: token.authorization)
    request.isDeletion = true
    do throws(Refusal) {
      _ = try await ask(request)
    } catch {
      throw error.complaint.map { FederationError.accessToken(.refused($0)) } ?? error.cause
    }
  }

  /// Like ``revoke(_:)``, but with the app's own token (the same page: "with an app access token").
  ///
  /// Succeeds if Facebook no longer knows the user: then there is nothing to revoke.
  func revokeGrant(at permissions: OutboundURL) async throws(FederationError) {
    var request = OutboundRequest(permissions, authorization: app.authorization)
    request.isDeletion = true
    do throws(Refusal) {
      _ = try await ask(request)
    } catch {
      if error.complaint?.isUnknownObject == true { return }
      throw error.complaint.map { FederationError.inspectionRefused($0) } ?? error.cause
    }
  }

  private struct Refusal: Error {
    var cause: FederationError
    /// The API's error; nil if the API didn't respond.
    var complaint: GraphComplaint?
  }

  private func ask(_ request: OutboundRequest) async throws(Refusal) -> JSONObject {
    let response: OutboundResponse
    do throws(FederationError) {
      response = try await context.send(request)
    } catch {
      throw Refusal(cause: error)
    }
    let json = try? JSONObject(parsing: response.body, limits: .document)
    let cause = FederationError.refusedByProvider(status: response.status, error: nil)
    guard let json else { throw Refusal(cause: cause) }
    guard response.status == 200 else {
      throw Refusal(cause: cause, complaint: GraphComplaint(json["error"]))
    }
    return json
  }
}
