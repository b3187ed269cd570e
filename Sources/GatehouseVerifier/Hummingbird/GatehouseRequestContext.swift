#if Verifier || Server
  public import Hummingbird

  /// A request context with room for who the request is from.
  ///
  /// ```swift
  /// struct Context: GatehouseRequestContext {
  ///   var coreContext: CoreRequestContextStorage
  ///   var authenticatedUser: AuthenticatedUser?
  ///
  ///   init(source: Source) { coreContext = .init(source: source) }
  /// }
  /// ```
  public protocol GatehouseRequestContext: RequestContext {
    /// Nil until ``GatehouseMiddleware`` found a good token. Only verifiers make a value, so there
    /// is nothing else to put here.
    var authenticatedUser: AuthenticatedUser? { get set }
  }

  extension GatehouseRequestContext {
    /// Who the request is from: what `request.auth` is in security rules.
    ///
    /// - Throws: 401 where nobody is known, also because ``GatehouseMiddleware`` was forgotten: that
    ///   lets nobody in.
    public var auth: AuthenticatedUser {
      get throws(HTTPError) {
        guard let authenticatedUser else { throw HTTPError(.unauthorized, .tokenMissing) }
        return authenticatedUser
      }
    }

    /// Lets the owner of something pass.
    ///
    /// - Parameter uid: The owner's id, compared byte for byte.
    /// - Returns: Who the request is from.
    /// - Throws: 401 as ``auth`` does; 403 for anybody else.
    @discardableResult
    public func requireUser(_ uid: String) throws(HTTPError) -> AuthenticatedUser {
      try require { $0.isUser(uid) }
    }

    /// Lets those pass of whom something holds: `{ $0.claims.bool("admin") == true }`.
    ///
    /// - Returns: Who the request is from.
    /// - Throws: 401 as ``auth`` does; 403 where it doesn't hold.
    @discardableResult
    public func require(
      _ holds: (AuthenticatedUser) -> Bool
    ) throws(HTTPError) -> AuthenticatedUser {
      let user = try auth
      guard holds(user) else { throw HTTPError(.forbidden, .notAllowed) }
      return user
    }

    /// Lets those pass who proved themselves lately: for what can't be undone, or costs money.
    ///
    /// - Parameter limit: How long ago at most; five minutes is what the server itself asks for
    ///   before it deletes an account.
    /// - Returns: Who the request is from.
    /// - Throws: 401 as ``auth`` does, and for an older sign-in with
    ///   `error="insufficient_user_authentication"` and `max_age` (RFC 9470 §3): the app
    ///   re-authenticates, gets a new token, and asks again.
    @discardableResult
    public func requireRecentSignIn(
      within limit: Duration = .seconds(300)
    ) throws(HTTPError) -> AuthenticatedUser {
      let user = try auth
      guard user.hasSignedIn(within: limit) else {
        throw HTTPError(.unauthorized, .signInTooOld(maximumSeconds: Int(limit / .seconds(1))))
      }
      return user
    }
  }
#endif
