import Foundation

extension SignedInUser {
  /// How many callers wait for a refresh in progress.
  package var callersWaitingForToken: Int { flight.waiterCount }

  /// A token is refreshed if it is valid for this time or less, so that it stays valid during the
  /// requests that use it.
  static let marginSeconds: TimeInterval = 300

  /// An ID token that is valid for more than five minutes, by the server's time. Sends a request
  /// only if the held token is not valid for that long. Concurrent callers share one request.
  ///
  /// - Parameter forcingRefresh: Whether to return a token other than the one held now, with the
  ///   server's current claims. Joins a refresh in progress.
  /// - Throws: ``ClientError/sessionEnded(_:)``, after the client was signed out;
  ///   ``ClientError/notSignedIn`` after another process signed out; ``ClientError/network(_:)``
  ///   and ``ClientError/store(_:)``, without signing the user out; ``ClientError/cancelled`` when
  ///   the caller's task is cancelled. A refresh that other callers wait for then continues.
  public func idToken(forcingRefresh: Bool = false) async throws(ClientError) -> IDToken {
    if Task.isCancelled { throw .cancelled }
    let seen = held
    if core.isCurrent(self) { core.keepFresh(seen) }
    if !forcingRefresh, isGood(seen.tokens) { return seen.tokens.idToken }
    return try await refreshed(from: seen.tokens.idToken, forcing: forcingRefresh)
  }

  /// - Parameter seen: The token to replace.
  func refreshed(from seen: IDToken, forcing: Bool) async throws(ClientError) -> IDToken {
    let refresh = TokenRefresh(user: self, seen: seen, isForced: forcing)
    let token = try await flight.join { await refresh.run() }
    guard forcing, token.isSameToken(as: seen) else { return token }
    // This call joined a refresh that wasn't forced and that found a valid token.
    return try await flight.join { await refresh.run() }
  }

  /// Whether the held tokens need no refresh.
  func isGood(_ tokens: HeldTokens) -> Bool {
    tokens.firebaseAPIKey == nil && isGood(tokens.idToken)
  }

  func isGood(_ token: IDToken) -> Bool {
    token.expiresAt.timeIntervalSince(core.time.now) > Self.marginSeconds
  }
}
