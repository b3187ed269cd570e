public import Foundation

/// Tells a back end who a request is from, by the ID token that came with it.
///
/// One per project and process: copies share what they know of the server's keys. The keys are
/// fetched when the first token comes, then about once an hour; a token costs a signature check
/// (tens of microseconds) and no request. What the server does after it made a token, to disable an account
/// say, is learnt when the token ends, within an hour, or by asking the server.
///
/// Doesn't take session cookies: those have keys and an issuer of their own, see
/// ``SessionCookieVerifier``.
public struct IDTokenVerifier: Sendable {
  public let configuration: VerifierConfiguration
  private let verifier: SignedTokenVerifier

  /// - Parameters:
  ///   - transport: How the server is reached.
  ///   - now: This machine's time.
  public init(
    _ configuration: VerifierConfiguration,
    transport: any ServerTransport = URLSessionServerTransport(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.configuration = configuration
    verifier = SignedTokenVerifier(.idTokens, configuration, transport: transport, now: now)
  }

  /// Verifies signature (RS256, by the server's keys), issuer, audience, times and `auth_time`.
  ///
  /// - Parameter idToken: As it came, at most 16 KiB.
  /// - Throws: ``VerificationError``.
  public func verify(_ idToken: String) async throws(VerificationError) -> AuthenticatedUser {
    try await verifier.verify(idToken)
  }

  /// Verifies, then asks the server whether account and session are still alive: a request each
  /// time, for what can't wait an hour.
  ///
  /// - Precondition: The configuration has an API key.
  /// - Throws: ``VerificationError``, also with ``VerificationError/ended(_:)``; with
  ///   ``VerificationError/unavailable(_:)`` if the server doesn't answer, so that nobody is let in
  ///   on a guess.
  public func verifyAskingServer(
    _ idToken: String
  ) async throws(VerificationError) -> AuthenticatedUser {
    try await verifier.verifyAskingServer(idToken)
  }

  /// Fetches the keys if there are none, so that a mistake in the configuration shows when the back
  /// end starts and not with the first request.
  ///
  /// - Throws: ``ServerFault``.
  public func prepare() async throws(ServerFault) { try await verifier.prepare() }
}
