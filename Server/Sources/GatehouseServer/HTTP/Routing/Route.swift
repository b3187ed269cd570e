import HTTPTypes

/// One HTTP method on one path: the callers that may use it, and the function that handles it.
struct Route: Sendable {
  let method: HTTPRequest.Method
  /// In the form of ``RequestPath/pattern``.
  let pattern: String
  /// The name in metrics and logs, from a fixed set.
  let name: String
  let access: Access
  /// The lowest role with which an administrator may call it.
  var role: AdministratorRole = .administrator
  let envelope: Envelope
  /// The limit of the body, if it is higher than the server's general limit. Only an administrator
  /// may then call the route, and is authenticated before the body is read.
  var bodyBytes: Int? = nil
  /// Whether web pages may show the response in a frame. The response's content security policy
  /// names the pages.
  var isFramed = false
  /// Whether a success is a stream, which may last for an hour.
  var isStream = false
  /// Whether the body is passed as ``Call/bytes`` instead of being parsed.
  var takesRawBody = false
  /// For ``Access/server``: whether an administrator of one project may call it.
  var isOfAnyProject = false
  /// For an administrator's route: whether clients have the method, too, without a project in its path.
  var isAlsoOfClients = false
  /// Whether a success can begin a session: ``RefusalLog`` shows a refusal without a change of settings.
  var isSignIn = false
  let handle: Handler

  typealias Handler = @Sendable (Call) async throws -> Answer

  enum Access: Sendable {
    /// Public: keys, discovery, health.
    case anyone
    /// A client by its API key, or an administrator.
    case client
    /// A client with an API key and its user's ID token as the bearer token. The endpoint verifies
    /// the ID token.
    case user
    /// Like `client`. A caller without credentials is also allowed: the endpoint then requires an
    /// assertion in the body, which authenticates the caller.
    case clientOrAssertion
    /// An administrator of the project that the path names.
    case administrator
    /// An administrator of all projects; with ``Route/isOfAnyProject``, of any.
    case server
    /// A page that exists only in `--dev`. It needs no credential.
    case development
    /// A control method of the emulator, which exists only in `--dev`. On this machine it needs no credential.
    case developer
    /// The console's files and its sign-in, which the endpoint itself authenticates.
    case console
  }

  /// The format of errors: see ``ErrorMapping``.
  enum Envelope: Sendable {
    case identityToolkit, secureToken
    /// A page for users, shown in a browser. The body is a form.
    case page
  }

  /// The same route with ``isStream`` set.
  var streaming: Route {
    var route = self
    route.isStream = true
    return route
  }

  /// The same route with ``isAlsoOfClients`` set.
  var alsoOfClients: Route {
    var route = self
    route.isAlsoOfClients = true
    return route
  }

  /// Not what machines ask all the time.
  var isTraced: Bool { !["livez", "readyz"].contains(pattern) }

  /// Whether apps call it, with their API key.
  var isForApps: Bool {
    switch access {
    case .client, .user, .clientOrAssertion: true
    case .anyone, .administrator, .server, .development, .developer, .console: false
    }
  }

  /// Whether a web page of another origin may call it.
  var isForBrowsers: Bool {
    if case .console = access { return false }
    // Browsers navigate there; scripts of other sites don't have to read it.
    if case .page = envelope { return true }
    return switch access {
    case .anyone, .client, .user, .clientOrAssertion: true
    case .administrator, .server, .development, .developer, .console: false
    }
  }
}

/// Handles the requests on its routes.
protocol Endpoint: Sendable {
  /// All routes of the endpoint. ``RouteTable`` rejects a route that two endpoints declare.
  var routes: [Route] { get }
}

extension Route {
  /// The HTTP methods that endpoints use. With this type they don't need to import an HTTP module.
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
    _ name: String, v3: String, role: AdministratorRole = .administrator,
    _ handle: @escaping Handler
  ) -> [Route] {
    ["v1/accounts:\(name)", "relyingparty/\(v3)"].map { pattern in
      Route(
        method: .post, pattern: pattern, name: name, access: .client, role: role,
        envelope: .identityToolkit, handle: handle)
    }
  }

  /// A method that begins a session and that Google's service doesn't have.
  static func signIn(_ name: String, _ handle: @escaping Handler) -> Route {
    signIn(at: "v1/accounts:\(name)", name, handle)
  }

  /// The same at any path.
  static func signIn(
    at pattern: String, _ name: String, _ handle: @escaping Handler
  ) -> Route {
    var route = client(.post, pattern, name, handle)
    route.isSignIn = true
    return route
  }

  /// Like ``account(_:v3:role:_:)``, for a method that begins a session.
  static func signIn(_ name: String, v3: String, _ handle: @escaping Handler) -> [Route] {
    account(name, v3: v3, handle).map { route in
      var route = route
      route.isSignIn = true
      return route
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

  /// An administrator's method.
  ///
  /// - Parameter role: The lowest role that may call it. Use `viewer` only for a method that changes
  ///   nothing and returns no secret, and `support` only for one that changes accounts.
  static func administrator(
    _ method: Method, _ pattern: String, _ name: String,
    role: AdministratorRole = .administrator, bodyBytes: Int? = nil, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: method.http, pattern: pattern, name: name, access: .administrator, role: role,
      envelope: .identityToolkit, bodyBytes: bodyBytes, handle: handle)
  }

  /// A method of the administrators of the server.
  static func server(
    _ method: Method, _ pattern: String, _ name: String, role: AdministratorRole = .owner,
    isOfAnyProject: Bool = false, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: method.http, pattern: pattern, name: name, access: .server, role: role,
      envelope: .identityToolkit, isOfAnyProject: isOfAnyProject, handle: handle)
  }

  /// A control method of the emulator. It exists only in `--dev`.
  static func developer(
    _ method: Method, _ pattern: String, _ name: String, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: method.http, pattern: pattern, name: name, access: .developer,
      envelope: .identityToolkit, handle: handle)
  }

  /// A document that anyone may read.
  static func open(_ pattern: String, _ name: String, _ handle: @escaping Handler) -> Route {
    Route(
      method: .get, pattern: pattern, name: name, access: .anyone, envelope: .identityToolkit,
      handle: handle)
  }

  /// A notification that a provider's server posts.
  static func notification(
    _ pattern: String, _ name: String, _ handle: @escaping Handler
  ) -> Route {
    Route(
      method: .post, pattern: pattern, name: name, access: .anyone, envelope: .identityToolkit,
      takesRawBody: true, handle: handle)
  }

  /// A page or redirect of a browser sign-in. In `--dev` it also has the emulator's path.
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
