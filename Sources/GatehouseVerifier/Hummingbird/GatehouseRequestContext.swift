#if Verifier || Server
  public import Hummingbird

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
  public protocol GatehouseRequestContext: RequestContext {
    /// Nil until ``GatehouseMiddleware`` has verified a token. Only verifiers create values of this
    /// type.
    var authenticatedUser: AuthenticatedUser? { get set }
  }

  extension GatehouseRequestContext {
    /// The user of the request, like `request.auth` in security rules.
    ///
    /// - Throws: 401 if there is no user. This is also the result if ``GatehouseMiddleware`` was
    ///   forgotten.
    public var auth: AuthenticatedUser {
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
    public func requireUser(_ uid: String) throws(HTTPError) -> AuthenticatedUser {
      try require { $0.isUser(uid) }
    }

    /// Allows only requests from users for which `holds` is true, such as
    /// `{ $0.claims.bool("admin") == true }`.
    ///
    /// - Returns: The user of the request.
    /// - Throws: 401 as ``auth`` does; 403 if `holds` is false.
    @discardableResult
    public func require(
      _ holds: (AuthenticatedUser) -> Bool
    ) throws(HTTPError) -> AuthenticatedUser {
      let user = try auth
      guard holds(user) else { throw HTTPError(.forbidden, .notAllowed) }
      return user
    }

    /// Allows only requests from users who signed in recently: for actions that can't be undone or
    /// that cost money.
    ///
    /// - Parameter limit: The greatest age of the sign-in. The server's own default, such as for
    ///   the deletion of an account, is also five minutes.
    /// - Returns: The user of the request.
    /// - Throws: 401 as ``auth`` does. For an older sign-in, 401 with
    ///   `error="insufficient_user_authentication"` and `max_age` (RFC 9470 §3): the app
    ///   re-authenticates the user, gets a new token, and repeats the request.
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
