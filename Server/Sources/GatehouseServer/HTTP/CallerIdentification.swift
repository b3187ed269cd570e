import Foundation
import GatehouseProtocol
import HTTPTypes
import Hummingbird

/// Identifies the caller and the project of a request.
///
/// A client sends an API key, in `key` or `x-goog-api-key`. The key identifies the project and
/// authenticates nothing. An administrator sends a bearer token, or the console's cookie with a proof. On a
/// route for users (`Route.Access.user`), the bearer token is the user's ID token.
struct CallerIdentification: Sendable {
  let services: APIServices
  let configuration: APIConfiguration
  /// ``APIConfiguration/isDevelopers(_:_:)``.
  let isDevelopers: Bool

  /// The credential in the request.
  enum Credential: Sendable {
    case none
    case apiKey(String)
    case bearer(Secret<String>, apiKey: String?)
    case console(ConsoleCredential)

    var apiKey: String? {
      switch self {
      case .none, .console: nil
      case .apiKey(let key): key
      case .bearer(_, let key): key
      }
    }
  }

  struct Established: Sendable {
    var project: Project?
    /// Nil for a caller who isn't an administrator.
    var administrator: Administrator?

    var isAdministrator: Bool { administrator != nil }

    /// The name of the administrator in `--dev`, as in Google's emulator.
    static let owner = "owner"
  }

  /// Reads the credential, and rejects a kind that the route doesn't accept. Called before the body
  /// is read.
  ///
  /// - Throws: ``APIError/missingAPIKey``, ``APIError/apiKeyNotEnough``, ``APIError/projectOfClient``.
  func credential(
    of request: Request, _ route: Route, _ query: FormFields
  ) throws(APIError) -> Credential {
    let key = Self.nonEmpty(query["key"]) ?? Self.nonEmpty(request.headers[.googleAPIKey])
    let credential: Credential =
      if let bearer = Self.bearer(request.headers[.authorization]) {
        .bearer(Secret(bearer), apiKey: key)
      } else if let console = console(request, route) {
        .console(console)
      } else {
        key.map(Credential.apiKey) ?? .none
      }
    switch (route.access, credential) {
    case (.client, .none), (.user, .none), (.administrator, .none), (.server, .none),
      (.user, .bearer(_, nil)):
      throw .missingAPIKey
    case (.administrator, .apiKey), (.server, .apiKey):
      // As in Google's service, where both are one method.
      throw route.isAlsoOfClients ? .projectOfClient : .apiKeyNotEnough
    default: return credential
    }
  }

  /// Nil if the request isn't the console's, or on a route that isn't an administrator's.
  private func console(_ request: Request, _ route: Route) -> ConsoleCredential? {
    guard configuration.hasConsole else { return nil }
    return switch route.access {
    case .administrator, .server:
      ConsoleCredential(request.head, at: configuration.publicURL)
    case .anyone, .client, .user, .clientOrAssertion, .development, .developer, .console: nil
    }
  }

  /// The project, and whether the caller may administer it.
  ///
  /// Only here is an administrator's role compared with the role that the route requires.
  ///
  /// - Throws: ``APIError``: ``APIError/invalidAPIKey``, ``APIError/credentialRefused``,
  ///   ``APIError/otherProject``, ``APIError/oneProject``, ``APIError/roleNotEnough(_:needed:)``, or an error for a missing credential, for
  ///   a project that isn't named or doesn't exist, for a tenant, for a field that only an
  ///   administrator may send, or for an emulator's endpoint outside `--dev`.
  func establish(
    _ credential: Credential, _ route: Route, _ path: RequestPath, _ query: FormFields,
    _ fields: WireFields, now: Date
  ) async throws -> Established {
    switch (route.access, credential) {
    case (.anyone, _), (.console, _): return Established()
    case (.development, _), (.developer, _):
      guard configuration.development != nil else { throw APIError.notFound }
      if case .developer = route.access, !isDevelopers {
        guard case .bearer(let token, _) = credential, isNetworkToken(token) else {
          throw APIError.credentialRefused
        }
      }
      guard let name = path.project else { return Established() }
      return Established(
        project: try await administeredProject(name),
        administrator: Self.developer)
    case (.server, .bearer), (.server, .console):
      let administrator = try await authenticated(credential, route, now: now)
      guard administrator.project == nil || route.isOfAnyProject else { throw APIError.oneProject }
      return Established(administrator: administrator)
    case (.user, .bearer(_, let key?)):
      try refuseTenants(query, fields)
      return Established(project: try await clientProject(key))
    case (_, .bearer), (_, .console):
      try refuseTenants(query, fields)
      return try await administrator(credential, route, path, fields, now: now)
    case (_, .apiKey(let key)):
      let project = try await clientProject(key)
      if try fields.nonEmptyString("targetProjectId") != nil {
        throw APIError.projectOfClient
      }
      try refuseTenants(query, fields)
      return Established(project: project)
    case (.clientOrAssertion, .none): return Established()
    case (_, .none): throw APIError.missingAPIKey
    }
  }

  private func clientProject(_ apiKey: String) async throws -> Project {
    guard let project = try await services.projects.project(apiKey: apiKey) else {
      throw APIError.invalidAPIKey
    }
    return project
  }

  /// Checks that the caller may send a large body. The caller must be an administrator of the
  /// project in the path. If the path has no project, an administrator of any project is admitted:
  /// the body names the project, and ``establish(_:_:_:_:_:now:)`` checks it later.
  ///
  /// - Throws: What ``establish(_:_:_:_:_:now:)`` throws.
  func admitLargeBody(
    _ credential: Credential, _ route: Route, _ path: RequestPath, _ query: FormFields, now: Date
  ) async throws {
    if path.project == nil, try await administrator(credential, now: now) != nil { return }
    _ = try await establish(credential, route, path, query, WireFields(JSONObject()), now: now)
  }

  private func administrator(
    _ credential: Credential, _ route: Route, _ path: RequestPath, _ fields: WireFields,
    now: Date
  ) async throws -> Established {
    var name = path.project
    if name == nil { name = try fields.nonEmptyString("targetProjectId") }
    if name == nil, let apiKey = credential.apiKey {
      name = try await services.projects.project(apiKey: apiKey)?.id.text
    }
    let administrator = try await authenticated(credential, route, now: now)
    guard let id = name ?? configuration.development?.defaultProject.text else {
      throw APIError.refused(.missingProjectID)
    }
    // The caller is authenticated as an administrator, so it may learn what is wrong.
    if let own = administrator.project, !own.text.hasSameBytes(as: id) {
      throw APIError.otherProject
    }
    if id.hasSameBytes(as: ConsoleProject.name), administrator.role != .owner {
      throw APIError.roleNotEnough(administrator.role, needed: .owner)
    }
    return Established(project: try await administeredProject(id), administrator: administrator)
  }

  /// - Throws: ``APIError/credentialRefused``, ``APIError/roleNotEnough(_:needed:)``,
  ///   ``AccountsError/credentialTooOld``.
  private func authenticated(
    _ credential: Credential, _ route: Route, now: Date
  ) async throws -> Administrator {
    guard let administrator = try await administrator(credential, now: now) else {
      throw APIError.credentialRefused
    }
    guard administrator.role.includes(route.role) else {
      throw APIError.roleNotEnough(administrator.role, needed: route.role)
    }
    // A person's browser may be left alone.
    if route.role == .owner, route.method != .get, let signedIn = administrator.authenticatedAt,
      now.timeIntervalSince(signedIn) > ConsoleSessions.recentSeconds
    {
      throw AccountsError.credentialTooOld
    }
    return administrator
  }

  private func administrator(
    _ credential: Credential, now: Date
  ) async throws -> Administrator? {
    switch credential {
    case .none, .apiKey: return nil
    case .bearer(let token, _): return try await administrator(token, now: now)
    case .console(let console):
      let proof = try console.possession(now: now)
      guard
        let (user, session) = try await ConsoleSessions(accounts: services.accounts)
          .user(console.cookie, proof, now: now)
      else { return nil }
      return Administrator(
        name: user.account.uid.text, role: user.role, of: user.project,
        authenticatedAt: session.authenticatedAt)
    }
  }

  /// The bearer; nil if the bearer isn't an administrator.
  ///
  /// In `--dev` only, `owner` in any letter case is an administrator on this machine, as in Google's emulator.
  private func administrator(
    _ token: Secret<String>, now: Date
  ) async throws -> Administrator? {
    let isOwner =
      isDevelopers && token.reveal().asciiLowercased.hasSameBytes(as: Established.owner)
    if isOwner || isNetworkToken(token) { return Self.developer }
    if let known = try await services.adminKeys.administrator(with: token, now: now) {
      return known
    }
    return try await services.accessTokens.administrator(with: token, now: now)
  }

  private func isNetworkToken(_ token: Secret<String>) -> Bool {
    guard let own = configuration.development?.networkToken else { return false }
    return constantTimeEquals(Array(own.reveal().utf8), Array(token.reveal().utf8))
  }

  private static let developer = Administrator(name: Established.owner, role: .owner, of: nil)

  private func administeredProject(_ name: String?) async throws -> Project {
    guard let id = name.flatMap({ ProjectID($0) }) else {
      throw APIError.invalidArgument("Invalid project id.")
    }
    guard let project = try await services.projects.projectForAdministrator(id) else {
      throw APIError.notFound(.projectNotFound)
    }
    return project
  }

  /// A `GET` names its tenant in the query. A request for a tenant is refused: the project's data
  /// would be wrong for it.
  private func refuseTenants(_ query: FormFields, _ fields: WireFields) throws {
    let asked = Self.nonEmpty(WireParameters(query).string("tenantId"))
    if try asked != nil || fields.nonEmptyString("tenantId") != nil {
      throw APIError.refused(.unsupportedTenantOperation)
    }
  }

  /// The token of `Bearer <token>` (RFC 6750 §2.1); nil for another scheme.
  static func bearer(_ header: String?) -> String? {
    guard let header, header.utf8.count <= 8192 else { return nil }
    let scheme = "bearer "
    guard header.utf8.count > scheme.utf8.count,
      zip(header.utf8, scheme.utf8).allSatisfy({ $0.asciiLowercased == $1 })
    else { return nil }
    return String(decoding: header.utf8.dropFirst(scheme.utf8.count), as: UTF8.self)
  }

  private static func nonEmpty(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return text
  }
}

extension HTTPField.Name {
  /// The literal is a valid token (RFC 9110 §5.6.2), so the fallback is never used.
  static let googleAPIKey = HTTPField.Name("x-goog-api-key") ?? .authorization
  static let firebaseLocale = HTTPField.Name("x-firebase-locale") ?? .authorization
  static let traceParent = HTTPField.Name("traceparent") ?? .authorization
  static let requestID = HTTPField.Name("x-request-id") ?? .authorization
  static let frameOptions = HTTPField.Name("x-frame-options") ?? .contentSecurityPolicy
}
