import GatehouseJSON
import GatehouseModel

import struct Foundation.Date

/// The Graph API, as our app: who bears an access token, and that it be forgotten.
///
/// ```
///   GET    debug_token     ?input_token=…                  Authorization: Bearer <app id>|<secret>
///   GET    me              ?fields=…&appsecret_proof=…     Authorization: Bearer <access token>
///   DELETE me/permissions  ?appsecret_proof=…              Authorization: Bearer <access token>
///   DELETE <user id>/permissions                           Authorization: Bearer <app id>|<secret>
/// ```
///
/// Every sign-in with an access token asks twice, and nothing of an answer is kept: Facebook may
/// end a token at any time. So that no flood of made-up tokens becomes one of requests, at most
/// ``maximumCalls`` are under way at once (``OutboundError/busy`` beyond).
struct FacebookGraph: Sendable {
  /// A quarter of what ``OutboundClient`` allows: other providers' keys are still fetched.
  static let maximumCalls = 16

  /// In the order in which Firebase asks for them.
  static let fields = "id,name,email,first_name,last_name,picture"

  let endpoints: FacebookEndpoints
  let app: FacebookApp
  let transport: any OutboundTransport
  let calls: CallLimit

  /// What `token` is, by Facebook's word, checked for being a person's and for our app.
  ///
  /// - Throws: ``FederationError/accessToken(_:)``; ``FederationError/inspectionRefused(_:)`` where
  ///   Facebook won't tell; ``FederationError/refusedByProvider(status:error:)`` for anything else
  ///   than an answer of the API.
  func inspect(
    _ token: BearerToken, clockSkewSeconds: Int, now: Date
  ) async throws(FederationError) -> AccessTokenInspection {
    let answer = try await inspectionAnswer(of: token)
    guard let data = answer["data"]?.object else { throw .accessToken(.unreadable) }
    return try AccessTokenInspection(
      data, appID: app.id, clockSkewSeconds: clockSkewSeconds, now: now)
  }

  /// What `debug_token` answers; its `data` may say that the token is no good.
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

  /// The bearer's profile: the fields that are there.
  ///
  /// - Throws: As ``inspect(_:clockSkewSeconds:now:)``.
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

  /// Takes every permission back that the person gave the app, which ends its access tokens
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

  /// As ``revoke(_:)``, with the app's own token (the same page: "with an app access token").
  ///
  /// A user whom Facebook doesn't know any more has granted nothing.
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
    /// If the API itself refused.
    var complaint: GraphComplaint?
  }

  private func ask(_ request: OutboundRequest) async throws(Refusal) -> JSONObject {
    guard calls.enter() else { throw Refusal(cause: .unreachable(.outbound(.busy))) }
    defer { calls.leave() }
    let response: OutboundResponse
    do throws(OutboundError) {
      response = try await transport.send(request)
    } catch {
      throw Refusal(cause: .unreachable(.outbound(error)))
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
