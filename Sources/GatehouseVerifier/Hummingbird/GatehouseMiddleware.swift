#if Verifier || Server
  public import Hummingbird
  import HTTPTypes
  import Logging

  /// Finds out who a request is from, by the ID token in `Authorization: Bearer …` (RFC 6750 §2.1).
  ///
  /// ```swift
  /// let router = Router(context: Context.self)
  /// router.add(middleware: GatehouseMiddleware(verifier: verifier))
  /// router.get("notes") { _, context in notes.all(of: try context.auth.uid) }
  /// ```
  ///
  /// A request with a token that isn't good is answered with 401 and what is wrong with it
  /// (`error="invalid_token"`), one without with 401 and a bare challenge, one with a header that
  /// can't be understood with 400, and 503 says that the server's keys were not to be had. Tokens in
  /// the query or the body are not looked at: they end up in logs.
  public struct GatehouseMiddleware<Context: GatehouseRequestContext>: RouterMiddleware {
    private let verifier: IDTokenVerifier
    private let requiresToken: Bool
    private let asksServer: Bool

    /// - Parameters:
    ///   - requiresToken: False lets requests without a token pass as nobody's; a token that isn't
    ///     good is refused all the same.
    ///   - asksServer: Whether the server is asked with each request if account and session are still
    ///     alive; see ``IDTokenVerifier/verifyAskingServer(_:)``. For a group of routes rather than
    ///     for all.
    /// - Precondition: With `asksServer` the verifier's configuration has an API key.
    public init(verifier: IDTokenVerifier, requiresToken: Bool = true, asksServer: Bool = false) {
      precondition(
        !asksServer || verifier.configuration.apiKey != nil,
        "to ask the server, the verifier's configuration needs an API key")
      self.verifier = verifier
      self.requiresToken = requiresToken
      self.asksServer = asksServer
    }

    public func handle(
      _ request: Request, context: Context,
      next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
      var context = context
      // A context can have come from an outer group: what this one lets in, this one has checked.
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
        logger.error("no token can be verified", metadata: ["reason": "\(fault)"])
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
