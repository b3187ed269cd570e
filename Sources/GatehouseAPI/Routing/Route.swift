import GatehouseAccounts
import HTTPTypes

/// One method on one path: who may call it, and which function answers.
struct Route: Sendable {
  let method: HTTPRequest.Method
  /// In the form of ``RequestPath/pattern``.
  let pattern: String
  /// The name in metrics and logs, from a fixed set.
  let name: String
  let access: Access
  /// The role that an administrator who calls it needs at least.
  var role: AdministratorRole = .admin
  let envelope: Envelope
  /// A limit for the body above the server's own limit. It requires an administrator, who is
  /// identified before the body is read.
  var bodyBytes: Int? = nil
  /// Whether pages may contain it in a frame. The answer's own policy says which pages may.
  var isFramed = false
  /// Whether the body is passed as ``Call/bytes`` instead of being parsed.
  var takesRawBody = false
  let handle: Handler

  typealias Handler = @Sendable (Call) async throws -> Answer

  enum Access: Sendable {
    /// Public: keys, discovery, health.
    case anyone
    /// A client by its API key, or an administrator.
    case client
    /// A client by its API key, whose bearer token is its user's ID token. The endpoint verifies it.
    case user
    /// Like `client`, or a caller without either whose request contains an assertion that
    /// authenticates it.
    case clientOrAssertion
    /// An administrator of the project that the path names.
    case administrator
    /// The emulator's control endpoints: without a credential, only in `--dev`.
    case development
  }

  /// The format of errors: see ``ErrorMapping``.
  enum Envelope: Sendable {
    case identityToolkit, secureToken
    /// A page for users, shown in a browser. The body is a form.
    case page
  }

  /// Whether a web page of another origin may call it.
  var isForBrowsers: Bool {
    // Browsers navigate there; scripts of other sites don't have to read it.
    if case .page = envelope { return true }
    return switch access {
    case .anyone, .client, .user, .clientOrAssertion: true
    case .administrator, .development: false
    }
  }
}

/// What answers requests, and beside that where.
protocol Endpoint: Sendable {
  /// Every path that leads here. ``RouteTable`` refuses one that leads elsewhere too.
  var routes: [Route] { get }
}

extension Route {
  /// The HTTP methods of endpoints, so that these don't need to import an HTTP module.
  enum Method {
    case get, post, patch, delete

    fileprivate var http: HTTPRequest.Method {
      switch self {
      case .get: .get
      case .post: .post
      case .patch: .patch
      case .delete: .delete
      }
    }
  }

  /// A client's method of accounts, under its v1 and its v3 name.
  static func account(
    _ name: String, v3: String, role: AdministratorRole = .admin, _ handle: @escaping Handler
  ) -> [Route] {
    ["v1/accounts:\(name)", "relyingparty/\(v3)"].map { pattern in
      Route(
        method: .post, pattern: pattern, name: name, access: .client, role: role,
        envelope: .identityToolkit, handle: handle)
    }
  }

  static func client(
    _ method: Method, _ pattern: String, _ name: String, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: method.http, pattern: pattern, name: name, access: .client,
      envelope: .identityToolkit,
      handle: handle)
  }

  static func user(
    _ method: Method, _ pattern: String, _ name: String, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: method.http, pattern: pattern, name: name, access: .user,
      envelope: .identityToolkit, handle: handle)
  }

  /// - Parameter role: What the administrator needs at least: a viewer may what only looks, and shows
  ///   no secret.
  static func administrator(
    _ method: Method, _ pattern: String, _ name: String,
    role: AdministratorRole = .admin, bodyBytes: Int? = nil, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: method.http, pattern: pattern, name: name, access: .administrator, role: role,
      envelope: .identityToolkit, bodyBytes: bodyBytes, handle: handle)
  }

  /// The emulator's own, in `--dev` alone.
  static func development(
    _ method: Method, _ pattern: String, _ name: String, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: method.http, pattern: pattern, name: name, access: .development,
      envelope: .identityToolkit, handle: handle)
  }

  /// What anyone may read.
  static func open(_ pattern: String, _ name: String, _ handle: @escaping Handler) -> Route {
    Route(
      method: .get, pattern: pattern, name: name, access: .anyone, envelope: .identityToolkit,
      handle: handle)
  }

  /// What a provider's server posts.
  static func notification(
    _ pattern: String, _ name: String, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: .post, pattern: pattern, name: name, access: .anyone, envelope: .identityToolkit,
      takesRawBody: true, handle: handle)
  }

  /// What browsers are sent to in the course of a sign-in, under the emulator's name too.
  static func browser(
    _ method: Method, _ place: String, _ name: String, isFramed: Bool = false,
    _ handle: @escaping Handler
  ) -> [Route] {
    [("__/auth", Access.anyone), ("emulator/auth", .development)].map { folder, access in
      Route(
        method: method.http, pattern: "\(folder)/\(place)", name: name, access: access,
        envelope: .page,
        isFramed: isFramed, handle: handle)
    }
  }
}
