public import Foundation

/// Identifies the user of a request to a web site by a session cookie that the server created.
///
/// Works like ``IDTokenVerifier``, but with the issuer and the keys of session cookies: an ID token
/// is refused as a cookie, and a cookie as an ID token. A cookie is valid for up to fourteen days.
/// Its session may have ended although its signature is valid: where that matters, use
/// ``verifyAskingServer(_:)``.
///
/// Doesn't read the request. Browsers also send cookies with requests that other sites cause: a
/// request that changes something needs the usual protection (`SameSite`, and a check of `Origin`).
public struct SessionCookieVerifier: Sendable {
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
    verifier = SignedTokenVerifier(.sessionCookies, configuration, transport: transport, now: now)
  }

  /// - Throws: ``VerificationError``.
  public func verify(_ cookie: String) async throws(VerificationError) -> AuthenticatedUser {
    try await verifier.verify(cookie)
  }

  /// Verifies the cookie, then asks the server; see ``IDTokenVerifier/verifyAskingServer(_:)``.
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
