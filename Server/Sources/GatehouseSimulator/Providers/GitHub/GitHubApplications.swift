import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// The endpoints at which an app manages its own tokens (GitHub, "REST API endpoints for OAuth
/// authorizations"). The app authenticates by Basic with its id and secret; the token is in the
/// body.
extension GitHubAPI {
  private static let page = "/apps/oauth-applications"

  /// A valid token of the app.
  struct OwnToken: Sendable {
    let text: String
    let grant: Grant
    let issuedAt: Date
    let user: GitHubUser
  }

  func applications(
    _ request: Request, _ context: SimulatorContext, _ answer: (OwnToken) throws -> Response
  ) async throws -> Response {
    guard Self.hasUserAgent(request) else { return Self.withoutUserAgent }
    let bytes = try await request.bytes(store.configuration.limits.bodyBytes)
    do {
      let clientID = try authenticate(request)
      guard try context.parameters.require("client_id").isSame(as: clientID) else {
        throw GitHubError(.notFound, "Not Found", page: Self.page)
      }
      var response = try answer(try ownToken(Data(bytes), clientID))
      response.headers[.gitHubMediaType] = Self.commonHeaders[.gitHubMediaType]
      return response
    } catch let error as GitHubError {
      return try error.response(Self.commonHeaders)
    }
  }

  /// - Returns: The client id.
  /// - Throws: 401.
  private func authenticate(_ request: Request) throws(GitHubError) -> String {
    let parts = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, String(parts[0]).foldingASCII() == "basic",
      let data = Data(base64Encoded: String(parts[1])),
      let text = String(validating: data, as: UTF8.self),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else {
      throw GitHubError(.unauthorized, "Requires authentication", page: Self.page)
    }
    let (clientID, secret) = (String(text[..<colon]), String(text[colon...].dropFirst()))
    guard !clientID.isEmpty, !secret.isEmpty,
      store.withState({ $0.isGitHubClient(clientID, secret: secret) })
    else { throw GitHubError.badCredentials }
    return clientID
  }

  /// - Throws: 400 if the body isn't JSON, 422 without `access_token`, 404 for a token that is
  ///   invalid or belongs to another app.
  private func ownToken(_ body: Data, _ clientID: String) throws(GitHubError) -> OwnToken {
    guard case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: body) else {
      throw GitHubError(.badRequest, "Problems parsing JSON", page: Self.page)
    }
    guard let token = members["access_token"]?.stringValue, !token.isEmpty else {
      throw GitHubError(
        .unprocessableContent, "Invalid request.\n\n\"access_token\" wasn't supplied.",
        page: Self.page)
    }
    let now = store.now
    guard let known = store.withState({ $0.gitHubGrant(of: token, now: now) }),
      known.grant.clientID.isSame(as: clientID)
    else { throw GitHubError(.notFound, "Not Found", page: Self.page) }
    return OwnToken(
      text: token, grant: known.grant, issuedAt: known.issuedAt, user: GitHubUser(known.person))
  }

  /// `POST /applications/{client_id}/token`: "Check a token".
  func checkToken(_ token: OwnToken) throws -> Response {
    let hash = Hex.text(SHA256.hash(data: Data(token.text.utf8)))
    let id = Int(hash.prefix(7), radix: 16) ?? 1
    let time = JSONValue.string(token.issuedAt.formatted(.iso8601))
    return try .json(
      [
        "id": .integer(id), "url": .string("https://api.github.com/authorizations/\(id)"),
        "scopes": .strings(GitHubProvider().sorted(token.grant.scopes).map(\.rawValue)),
        "token": .string(token.text), "token_last_eight": .string(String(token.text.suffix(8))),
        "hashed_token": .string(hash),
        "app": [
          "client_id": .string(token.grant.clientID), "name": "Simulated app",
          "url": "https://app.example.com",
        ],
        "note": .null, "note_url": .null, "updated_at": time, "created_at": time,
        "fingerprint": .null, "expires_at": .null, "user": .object(simple(token.user)),
      ])
  }

  /// `DELETE /applications/{client_id}/token`: "Delete an app token". The authorization remains.
  func deleteToken(_ token: OwnToken) -> Response {
    store.withState { $0.revokeGitHubToken(Identifier(token.text)) }
    return Response(status: .noContent)
  }

  /// `DELETE /applications/{client_id}/grant`: "Delete an app authorization", and with it all the
  /// person's tokens for the app.
  func deleteGrant(_ token: OwnToken) throws -> Response {
    try store.withState { state throws(SimulatorError) in
      try state.withdrawConsent(token.grant.consentKey)
    }
    return Response(status: .noContent)
  }
}
