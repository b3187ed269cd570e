public import Foundation

/// Identifies the user of a request to a back end by the request's ID token.
///
/// Use one for each project and process: copies share the server's keys. The keys are fetched for
/// the first token, then about once an hour, and when a token names an unknown key. Otherwise a
/// verification sends no request and costs a signature check (tens of microseconds). If an account is
/// disabled, ``verify(_:)`` still accepts its tokens until they expire, within an hour.
///
/// Refuses session cookies, which have a different issuer and different keys: see
/// ``SessionCookieVerifier``.
public struct IDTokenVerifier: Sendable {
  public let configuration: VerifierConfiguration
  private let verifier: SignedTokenVerifier

  /// - Parameters:
  ///   - transport: Sends the requests to the server.
  ///   - now: This machine's time.
  public init(
    _ configuration: VerifierConfiguration,
    transport: any ServerTransport = URLSessionServerTransport(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.configuration = configuration
    verifier = SignedTokenVerifier(.idTokens, configuration, transport: transport, now: now)
  }

  /// Verifies the signature (RS256 or ES256, with the server's keys), `typ`, issuer, audience,
  /// subject, times and `auth_time`.
  ///
  /// - Parameter idToken: The token as it was received. A token over 16 KiB is refused.
  /// - Throws: ``VerificationError``.
  public func verify(_ idToken: String) async throws(VerificationError) -> AuthenticatedUser {
    try await verifier.verify(idToken)
  }

  /// Verifies the token, then asks the server whether the account and the session are still valid.
  /// Each call sends a request. Use it for decisions that can't wait an hour.
  ///
  /// - Precondition: The configuration has an API key.
  /// - Throws: ``VerificationError``: also ``VerificationError/ended(_:)``, and
  ///   ``VerificationError/unavailable(_:)`` if the server doesn't respond. Without a response, no
  ///   token is accepted.
  public func verifyAskingServer(
    _ idToken: String
  ) async throws(VerificationError) -> AuthenticatedUser {
    try await verifier.verifyAskingServer(idToken)
  }

  /// Fetches the keys if there are none, so that a mistake in the configuration is found when the
  /// back end starts and not at the first request.
  ///
  /// - Throws: ``ServerFault``.
  public func prepare() async throws(ServerFault) { try await verifier.prepare() }
}
