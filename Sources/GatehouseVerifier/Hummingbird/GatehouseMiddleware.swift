#if Verifier || Server
  public import Hummingbird
  import HTTPTypes
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
  public struct GatehouseMiddleware<Context: GatehouseRequestContext>: RouterMiddleware {
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
    public init(verifier: IDTokenVerifier, requiresToken: Bool = true, asksServer: Bool = false) {
      precondition(
        !asksServer || verifier.configuration.apiKey != nil,
        "the verifier's configuration needs an API key to ask the server")
      self.verifier = verifier
      self.requiresToken = requiresToken
      self.asksServer = asksServer
    }

    public func handle(
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
#endif
