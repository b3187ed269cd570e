import Foundation

extension SignedInUser {
  /// How many callers wait for a refresh that is under way.
  package var callersWaitingForToken: Int { flight.waiterCount }

  /// Less than this left, and a token is refreshed: it has to live through the requests that it is
  /// for.
  static let marginSeconds: TimeInterval = 300

  /// A token good for five minutes at least, by the server's time. Makes a request only if there is
  /// none; all who wait share one.
  ///
  /// - Parameter forcingRefresh: Another token than the one that is held now, with what has changed
  ///   on the server. Joins a refresh that is under way.
  /// - Throws: ``ClientError/sessionEnded(_:)`` after the client was signed out by that;
  ///   ``ClientError/notSignedIn`` after another process signed out; ``ClientError/network(_:)`` and
  ///   ``ClientError/store(_:)``, which sign nobody out; ``ClientError/cancelled`` when the caller's
  ///   task is cancelled, which doesn't end a refresh that others wait for.
  public func idToken(forcingRefresh: Bool = false) async throws(ClientError) -> IDToken {
    if Task.isCancelled { throw .cancelled }
    let seen = held
    if core.isCurrent(self) { core.keepFresh(seen) }
    if !forcingRefresh, isGood(seen.tokens.idToken) { return seen.tokens.idToken }
    return try await refreshed(from: seen.tokens.idToken, forcing: forcingRefresh)
  }

  /// - Parameter seen: The token that isn't enough.
  func refreshed(from seen: IDToken, forcing: Bool) async throws(ClientError) -> IDToken {
    let refresh = TokenRefresh(user: self, seen: seen, isForced: forcing)
    let token = try await flight.join { await refresh.run() }
    guard forcing, token.isSameToken(as: seen) else { return token }
    // Joined one that wasn't forced, and found a good token.
    return try await flight.join { await refresh.run() }
  }

  func isGood(_ token: IDToken) -> Bool {
    token.expiresAt.timeIntervalSince(core.time.now) > Self.marginSeconds
  }
}
