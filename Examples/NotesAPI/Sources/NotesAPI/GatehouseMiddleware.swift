// Hummingbird's middleware for Gatehouse's ID tokens. Copy this file into your back end, with the
// dependencies of this example, and compare it with a new version's when you update.
import Foundation
import GatehouseVerifier
import HTTPTypes
import Hummingbird
import Logging

/// Identifies the user of a request by the ID token in `Authorization: Bearer …` (RFC 6750 §2.1).
///
/// ```swift
/// let router = Router(context: Context.self)
/// router.add(middleware: GatehouseMiddleware(verifier: verifier))
/// router.get("notes") { _, context in notes.all(of: try context.auth.uid) }
/// ```
///
/// Error responses:
/// - 401 with `error="invalid_token"` and the reason: the token isn't valid.
/// - 401 with a bare challenge: there is no token.
/// - 400: the header is malformed.
/// - 503: the Gatehouse server can't be reached, or its response is unusable.
///
/// Tokens in the query or the body are ignored, because such tokens end up in logs.
struct GatehouseMiddleware<Context: GatehouseRequestContext>: RouterMiddleware {
  private let verifier: IDTokenVerifier
  private let requiresToken: Bool
  private let asksServer: Bool

  /// - Parameters:
  ///   - requiresToken: If false, requests without a token are allowed, without a user. Requests
  ///     with an invalid token are still refused.
  ///   - asksServer: Whether the middleware asks the Gatehouse server, for each request, if the
  ///     account and the session are still valid: ``IDTokenVerifier/verifyAskingServer(_:)``. Use
  ///     it for a group of routes rather than for all of them.
  /// - Precondition: With `asksServer` the verifier's configuration has an API key.
  init(verifier: IDTokenVerifier, requiresToken: Bool = true, asksServer: Bool = false) {
    precondition(
      !asksServer || verifier.configuration.apiKey != nil,
      "the verifier's configuration needs an API key to ask the server")
    self.verifier = verifier
    self.requiresToken = requiresToken
    self.asksServer = asksServer
  }

  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    var context = context
    // Replaces the user that the middleware of an outer group found, also by nil.
    context.authenticatedUser = try await user(request, context.logger)
    return try await next(request, context)
  }

  private func user(
    _ request: Request, _ logger: Logger
  ) async throws(HTTPError) -> AuthenticatedUser? {
    let token: String
    switch BearerToken(request.headers) {
    case .token(let text): token = text
    case .malformed: throw HTTPError(.badRequest, .malformedHeader)
    case .absent where requiresToken: throw HTTPError(.unauthorized, .tokenMissing)
    case .absent: return nil
    }
    do throws(VerificationError) {
      return asksServer
        ? try await verifier.verifyAskingServer(token) : try await verifier.verify(token)
    } catch .unavailable(let fault) {
      logger.error("tokens can't be verified", metadata: ["reason": "\(fault)"])
      throw HTTPError(
        .serviceUnavailable, headers: [.retryAfter: "30"],
        message: "The service can't verify tokens at the moment.")
    } catch {
      logger.debug("a token was refused", metadata: ["reason": "\(error)"])
      throw HTTPError(.unauthorized, .invalidToken(error.description))
    }
  }
}

/// A request context that holds the user of the request.
///
/// ```swift
/// struct Context: GatehouseRequestContext {
///   var coreContext: CoreRequestContextStorage
///   var authenticatedUser: AuthenticatedUser?
///
///   init(source: Source) { coreContext = .init(source: source) }
/// }
/// ```
protocol GatehouseRequestContext: RequestContext {
  /// Nil until ``GatehouseMiddleware`` has verified a token. Only verifiers create values of this
  /// type.
  var authenticatedUser: AuthenticatedUser? { get set }
}

extension GatehouseRequestContext {
  /// The user of the request, like `request.auth` in security rules.
  ///
  /// - Throws: 401 if there is no user. This is also the result if ``GatehouseMiddleware`` was
  ///   forgotten.
  var auth: AuthenticatedUser {
    get throws(HTTPError) {
      guard let authenticatedUser else { throw HTTPError(.unauthorized, .tokenMissing) }
      return authenticatedUser
    }
  }

  /// Allows only requests from the user with the id `uid`, such as the owner of a document.
  ///
  /// - Parameter uid: The owner's id, compared byte for byte.
  /// - Returns: The user of the request.
  /// - Throws: 401 as ``auth`` does; 403 for any other user.
  @discardableResult
  func requireUser(_ uid: String) throws(HTTPError) -> AuthenticatedUser {
    try require { $0.isUser(uid) }
  }

  /// Allows only requests from users for which `holds` is true, such as
  /// `{ $0.claims.bool("admin") == true }`.
  ///
  /// - Returns: The user of the request.
  /// - Throws: 401 as ``auth`` does; 403 if `holds` is false.
  @discardableResult
  func require(
    _ holds: (AuthenticatedUser) -> Bool
  ) throws(HTTPError) -> AuthenticatedUser {
    let user = try auth
    guard holds(user) else { throw HTTPError(.forbidden, .notAllowed) }
    return user
  }

  /// Allows only requests from users who signed in recently: for actions that can't be undone or
  /// that cost money.
  ///
  /// - Parameter limit: The greatest age of the sign-in, in seconds. The server's own default, such as for
  ///   the deletion of an account, is also five minutes.
  /// - Returns: The user of the request.
  /// - Throws: 401 as ``auth`` does. For an older sign-in, 401 with
  ///   `error="insufficient_user_authentication"` and `max_age` (RFC 9470 §3): the app
  ///   re-authenticates the user, gets a new token, and repeats the request.
  @discardableResult
  func requireRecentSignIn(
    within limit: TimeInterval = 300
  ) throws(HTTPError) -> AuthenticatedUser {
    let user = try auth
    guard user.hasSignedIn(within: limit) else {
      throw HTTPError(.unauthorized, .signInTooOld(maximumSeconds: Int(limit)))
    }
    return user
  }
}

/// The bearer token in the header `Authorization`.
private enum BearerToken {
  case token(String)
  /// No header, or a header with another scheme.
  case absent
  /// The scheme without a token, or several headers. Several are rejected, because a proxy may
  /// have checked a header other than the one that is read here.
  case malformed

  init(_ headers: HTTPFields) {
    let values = headers[values: .authorization]
    guard let value = values.first else {
      self = .absent
      return
    }
    guard values.count == 1 else {
      self = .malformed
      return
    }
    // "credentials = auth-scheme [ 1*SP ( token68 / … ) ]", the scheme in any case
    // (RFC 9110 §11.4, §11.1).
    let bytes = value.utf8
    let scheme = bytes.prefix { $0 != UInt8(ascii: " ") }
    let token = bytes.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }
    guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer" else {
      self = .absent
      return
    }
    self = token.isEmpty ? .malformed : .token(String(decoding: token, as: UTF8.self))
  }
}

/// The header `WWW-Authenticate` (RFC 6750 §3) and the message of an error response.
private struct BearerChallenge {
  let message: String
  /// The header's parameters after `Bearer`. Values must not contain quotes or backslashes.
  let parameters: [(name: String, value: String)]

  /// "If the request lacks any authentication information …, the resource server SHOULD NOT include
  /// an error code" (§3.1).
  static let tokenMissing = BearerChallenge("An ID token is required.", [])

  static let malformedHeader = error(
    "invalid_request", "The Authorization header is malformed.")

  static let notAllowed = error("insufficient_scope", "This account isn't allowed to do that.")

  /// - Parameter reason: A sentence that contains nothing from the token.
  static func invalidToken(_ reason: String) -> BearerChallenge {
    error("invalid_token", reason)
  }

  /// RFC 9470 §3.
  static func signInTooOld(maximumSeconds: Int) -> BearerChallenge {
    error(
      "insufficient_user_authentication", "A more recent sign-in is required.",
      [("max_age", "\(maximumSeconds)")])
  }

  private static func error(
    _ code: String, _ message: String, _ more: [(String, String)] = []
  ) -> BearerChallenge {
    BearerChallenge(message, [("error", code), ("error_description", message)] + more)
  }

  private init(_ message: String, _ parameters: [(String, String)]) {
    self.message = message
    self.parameters = parameters.map { (name: $0.0, value: $0.1) }
  }

  var header: String {
    let list = parameters.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ", ")
    return list.isEmpty ? "Bearer" : "Bearer \(list)"
  }
}

extension HTTPError {
  fileprivate init(_ status: HTTPResponse.Status, _ challenge: BearerChallenge) {
    self.init(
      status, headers: [.wwwAuthenticate: challenge.header], message: challenge.message)
  }
}
