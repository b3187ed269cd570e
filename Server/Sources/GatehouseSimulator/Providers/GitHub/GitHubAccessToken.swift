import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The errors of the token endpoint (GitHub, "Troubleshooting OAuth app access token request
/// errors"). All have the status 200.
enum GitHubTokenError {
  static let incorrectClientCredentials = SimulatorError(
    .ok, "incorrect_client_credentials",
    "The client_id and/or client_secret passed are incorrect.")
  static let redirectURIMismatch = SimulatorError(
    .ok, "redirect_uri_mismatch",
    "The redirect_uri MUST match the registered callback URL for this application.")
  static let badVerificationCode = SimulatorError(
    .ok, "bad_verification_code", "The code passed is incorrect or expired.")
  static let unverifiedUserEmail = SimulatorError(
    .ok, "unverified_user_email", "The user must have a verified primary email.")

  static func fields(_ error: SimulatorError) -> [(name: String, value: String)] {
    let anchor = error.code.replacing("_", with: "-")
    return [
      ("error", error.code), ("error_description", error.message),
      (
        "error_uri",
        "https://docs.github.com/apps/managing-oauth-apps/"
          + "troubleshooting-oauth-app-access-token-request-errors/#\(anchor)"
      ),
    ]
  }
}

/// The format of the token endpoint's response, which `Accept` selects.
private enum GitHubAnswerFormat {
  case form
  case json
  case xml

  init(_ request: Request) {
    let accepted = (request.headers[.accept] ?? "").foldingASCII()
    if accepted.contains("application/json") {
      self = .json
    } else if accepted.contains("application/xml") {
      self = .xml
    } else {
      self = .form
    }
  }

  func response(_ fields: [(name: String, value: String)]) throws -> Response {
    switch self {
    case .json:
      let members = fields.map { ($0.name, JSONValue.string($0.value)) }
      return try .json(.object(Dictionary(members) { first, _ in first }))
    case .form:
      let encoded = fields.map { "\($0.name)=\(AuthorizationAnswer.encode($0.value))" }
      return text(encoded.joined(separator: "&"), "application/x-www-form-urlencoded")
    case .xml:
      let elements = fields.map { "<\($0.name)>\(HTML.escape($0.value))</\($0.name)>" }
      return text("<OAuth>\(elements.joined())</OAuth>", "application/xml")
    }
  }

  private func text(_ body: String, _ type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "\(type); charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
  }
}

extension GitHubRoutes {
  /// `POST /github/login/oauth/access_token` (GitHub, "Authorizing OAuth apps", step 2). The
  /// parameters, the client secret included, are in the query, in a form or in JSON.
  func accessToken(_ request: Request) async throws -> Response {
    let format = GitHubAnswerFormat(request)
    let form = try await parameters(request)
    let fields: [(name: String, value: String)]
    do throws(SimulatorError) {
      fields = try exchange(form)
    } catch  where error.status == .ok {
      fields = GitHubTokenError.fields(error)
    }
    return try format.response(fields)
  }

  private func exchange(
    _ form: RequestForm
  ) throws(SimulatorError) -> [(name: String, value: String)] {
    guard let clientID = form.filled("client_id"), let secret = form.filled("client_secret") else {
      throw GitHubTokenError.incorrectClientCredentials
    }
    let code = form.filled("code") ?? ""
    let now = store.now
    return try store.withState { state throws(SimulatorError) in
      guard state.isGitHubClient(clientID, secret: secret) else {
        throw GitHubTokenError.incorrectClientCredentials
      }
      // GitHub only "strongly recommends" a redirect_uri. If it is absent, nothing is compared.
      let redirectURI =
        form.filled("redirect_uri") ?? state.codes[Identifier(code)]?.grant.redirectURI
      let grant = try state.exchange(
        CodeExchange(
          provider: .github, clientID: clientID, code: code, redirectURI: redirectURI,
          codeVerifier: form.filled("code_verifier")), now: now)
      guard let (_, person) = state.standingConsent(of: grant),
        GitHubUser(person).primaryIsVerified
      else { throw GitHubTokenError.unverifiedUserEmail }
      let token = state.issueGitHubToken(for: grant, now: now, faults: nil)
      return [
        ("access_token", token), ("scope", GitHubRoutes.list(grant.scopes, ",")),
        ("token_type", "bearer"),
      ]
    }
  }

  /// The scopes, joined with `separator`.
  static func list(_ scopes: Set<Scope>, _ separator: String) -> String {
    GitHubProvider().sorted(scopes).map(\.rawValue).joined(separator: separator)
  }

  private func parameters(_ request: Request) async throws -> RequestForm {
    var form = try RequestForm.query(request)
    let type = (request.headers[.contentType] ?? "").foldingASCII()
    let bytes = try await request.bytes(store.configuration.limits.bodyBytes)
    if type.hasPrefix("application/json") {
      guard
        case .object(let members) = try? JSONDecoder().decode(
          JSONValue.self, from: Data(bytes))
      else { return form }
      for (name, value) in members {
        if let text = value.stringValue { form.fill(name, with: text) }
      }
    } else if type.hasPrefix("application/x-www-form-urlencoded") {
      for (name, value) in try RequestForm(parsing: String(decoding: bytes, as: UTF8.self)).all {
        form.fill(name, with: value)
      }
    }
    return form
  }
}

/// GitHub's state of tokens besides what all providers have.
struct GitHubState: ProviderState {
  /// "There is a limit of ten tokens that are issued per user/application/scope combination".
  static let tokensKept = 10

  struct Combination: Sendable, Hashable {
    let consent: ConsentKey
    let scopes: Set<Scope>
  }

  /// The tokens that were issued for a combination, oldest first.
  var tokens: BoundedTable<Combination, [Identifier]>
  var rateLimits: BoundedTable<Identifier, GitHubRateLimit>

  init(limits: SimulatorLimits) {
    tokens = BoundedTable(limit: limits.consents)
    rateLimits = BoundedTable(limit: limits.persons)
  }
}

extension SimulatorState {
  /// Whether id and secret match a registered client. Those of an unregistered client always match.
  func isGitHubClient(_ clientID: String, secret: String) -> Bool {
    clients[.github, clientID]?.clientSecret.map { secret.isSameSecret(as: $0) } ?? true
  }

  /// Issues a token. Over the limit for its combination, the oldest one is revoked.
  mutating func issueGitHubToken(
    for grant: Grant, now: Date, faults: TokenFaults?
  ) -> String {
    let text =
      gitHubPermissions(of: grant.clientID) == nil ? nil : GitHubProvider().newUserAccessToken()
    let token = issueAccessToken(for: grant, now: now, faults: faults, text: text)
    let key = GitHubState.Combination(consent: grant.consentKey, scopes: grant.scopes)
    var kept = (self[GitHubState.self].tokens[key] ?? []) + [Identifier(token)]
    while kept.count > GitHubState.tokensKept { revokeGitHubToken(kept.removeFirst()) }
    self[GitHubState.self].tokens.set(kept, for: key)
    return token
  }

  mutating func revokeGitHubToken(_ token: Identifier) {
    guard var issued = tokens[token] else { return }
    issued.isRevoked = true
    tokens.set(issued, for: token)
  }

  /// The grant of a token; nil if the token is invalid.
  func gitHubGrant(
    of token: String, now: Date
  ) -> (grant: Grant, issuedAt: Date, person: Person)? {
    guard let grant = grant(ofAccessToken: token, at: .github, now: now),
      let issued = tokens[Identifier(token)], let (_, person) = standingConsent(of: grant)
    else { return nil }
    return (grant, issued.issuedAt, person)
  }
}
