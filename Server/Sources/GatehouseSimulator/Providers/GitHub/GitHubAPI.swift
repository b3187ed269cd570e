import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An error of the REST API: `{"message", "documentation_url", "status"}`.
struct GitHubError: Error, Equatable {
  let status: HTTPResponse.Status
  let message: String
  let page: String

  /// - Parameter page: The page of the documentation, below `https://docs.github.com/rest`.
  init(_ status: HTTPResponse.Status, _ message: String, page: String = "") {
    self.status = status
    self.message = message
    self.page = page
  }

  static let badCredentials = GitHubError(.unauthorized, "Bad credentials")

  func response(_ headers: HTTPFields) throws -> Response {
    try .json(
      [
        "message": .string(message),
        "documentation_url": .string("https://docs.github.com/rest\(page)"),
        "status": .string(String(status.code)),
      ], status: status, headers: headers)
  }
}

/// The number of requests that remain in the current hour.
struct GitHubRateLimit: Sendable {
  /// GitHub, "Rate limits for the REST API": for an authenticated user, and for an address.
  static let ofUser = 5_000
  static let ofAddress = 60
  private static let window = 3_600.0

  let limit: Int
  private(set) var used = 0
  private(set) var resetsAt: Date

  init(limit: Int, now: Date) {
    self.limit = limit
    resetsAt = now.addingTimeInterval(Self.window)
  }

  /// Counts a request.
  ///
  /// - Returns: Whether the request is within the limit.
  mutating func take(now: Date) -> Bool {
    if now >= resetsAt { self = GitHubRateLimit(limit: limit, now: now) }
    guard used < limit else { return false }
    used += 1
    return true
  }

  func write(to headers: inout HTTPFields) {
    headers[.rateLimit("limit")] = String(limit)
    headers[.rateLimit("remaining")] = String(limit - used)
    headers[.rateLimit("used")] = String(used)
    headers[.rateLimit("reset")] = String(Int(resetsAt.timeIntervalSince1970))
    headers[.rateLimit("resource")] = "core"
  }
}

/// GitHub's REST API.
struct GitHubAPI: Sendable {
  let store: SimulatorStore

  /// The grant and the user of an authenticated request.
  struct Caller: Sendable {
    let grant: Grant
    let user: GitHubUser
    /// Nil for the token of an OAuth app.
    let permissions: GitHubPermissions?
  }

  /// Responds to a request with an access token.
  ///
  /// - Parameter answer: Returns the response's value, and the scopes that give access to it.
  func answer(
    _ request: Request, _ answer: (Caller) throws -> (value: JSONValue, accepted: [Scope])
  ) throws -> Response {
    guard Self.hasUserAgent(request) else { return Self.withoutUserAgent }
    var headers = Self.commonHeaders
    do {
      let caller = try caller(request, &headers)
      headers[.oauthScopes] = GitHubRoutes.list(caller.grant.scopes, ", ")
      headers[.oauthClientID] = caller.grant.clientID
      let (value, accepted) = try answer(caller)
      headers[.acceptedOAuthScopes] = accepted.map(\.rawValue).joined(separator: ", ")
      headers[.cacheControl] = "private, max-age=60, s-maxage=60"
      return try .json(value, headers: headers)
    } catch let error as GitHubError {
      return try error.response(headers)
    }
  }

  private func caller(_ request: Request, _ headers: inout HTTPFields) throws -> Caller {
    guard let token = Self.token(request) else {
      try count("", limit: GitHubRateLimit.ofAddress, &headers)
      throw GitHubError(
        .unauthorized, "Requires authentication",
        page: "/users/users#get-the-authenticated-user")
    }
    let now = store.now
    guard let known = store.withState({ $0.gitHubGrant(of: token, now: now) }) else {
      throw GitHubError.badCredentials
    }
    let user = GitHubUser(known.person)
    try count(known.person.id, limit: GitHubRateLimit.ofUser, &headers)
    let permissions = store.withState { $0.gitHubPermissions(of: known.grant.clientID) }
    return Caller(grant: known.grant, user: user, permissions: permissions)
  }

  /// - Throws: 403 if no request remains.
  private func count(_ caller: String, limit: Int, _ headers: inout HTTPFields) throws {
    let now = store.now
    let (isLeft, rate) = store.withState { state in
      var rate =
        state[GitHubState.self].rateLimits[Identifier(caller)]
        ?? GitHubRateLimit(limit: limit, now: now)
      let isLeft = rate.take(now: now)
      state[GitHubState.self].rateLimits.set(rate, for: Identifier(caller))
      return (isLeft, rate)
    }
    rate.write(to: &headers)
    guard isLeft else {
      throw GitHubError(
        .forbidden, "API rate limit exceeded.",
        page: "/overview/rate-limits-for-the-rest-api")
    }
  }

  /// `Authorization: Bearer` or `token`.
  private static func token(_ request: Request) -> String? {
    let parts = (request.headers[.authorization] ?? "").split(separator: " ")
    guard parts.count == 2, ["bearer", "token"].contains(String(parts[0]).foldingASCII()) else {
      return nil
    }
    return String(parts[1])
  }

  // MARK: Every request

  static let commonHeaders: HTTPFields = [
    .gitHubMediaType: "github.v3; format=json", .xContentTypeOptions: "nosniff",
  ]

  static func hasUserAgent(_ request: Request) -> Bool {
    request.headers[.userAgent]?.isEmpty == false
  }

  /// "All API requests must include a valid User-Agent header" (GitHub, "Getting started with the REST
  /// API"). The refusal isn't JSON.
  static var withoutUserAgent: Response {
    let text = """
      Request forbidden by administrative rules. Please make sure your request has a User-Agent header \
      (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required).

      """
    return Response(
      status: .forbidden, headers: [.contentType: "text/html", .cacheControl: "no-cache"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

extension HTTPField.Name {
  static let oauthScopes = named("x-oauth-scopes")
  static let acceptedOAuthScopes = named("x-accepted-oauth-scopes")
  static let oauthClientID = named("x-oauth-client-id")
  static let gitHubMediaType = named("x-github-media-type")

  static func rateLimit(_ what: String) -> HTTPField.Name { named("x-ratelimit-\(what)") }

  private static func named(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .contentSecurityPolicy
  }
}
