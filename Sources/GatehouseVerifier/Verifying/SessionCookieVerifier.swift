public import Foundation

/// Tells a web site who a request is from, by the session cookie that the server made for it.
///
/// As ``IDTokenVerifier`` does, with the cookies' own issuer and keys: an ID token is never a cookie,
/// nor the reverse. A cookie lives for up to fourteen days, and one that is good by its signature
/// may be of a session that is over: ask the server where that matters.
///
/// Doesn't read the request. A cookie comes along with requests that other sites make: whatever
/// changes something needs the usual defence (`SameSite`, and a check of `Origin`).
public struct SessionCookieVerifier: Sendable {
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
    verifier = SignedTokenVerifier(.sessionCookies, configuration, transport: transport, now: now)
  }

  /// - Throws: ``VerificationError``.
  public func verify(_ cookie: String) async throws(VerificationError) -> AuthenticatedUser {
    try await verifier.verify(cookie)
  }

  /// Verifies, then asks the server; see ``IDTokenVerifier/verifyAskingServer(_:)``.
  ///
  /// - Precondition: The configuration has an API key.
  public func verifyAskingServer(
    _ cookie: String
  ) async throws(VerificationError) -> AuthenticatedUser {
    try await verifier.verifyAskingServer(cookie)
  }

  /// Fetches the keys if there are none.
  ///
  /// - Throws: ``ServerFault``.
  public func prepare() async throws(ServerFault) { try await verifier.prepare() }
}
