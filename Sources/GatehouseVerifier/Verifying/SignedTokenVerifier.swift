import Foundation
import GatehouseProtocol
import GatehouseTokens

/// The common part of both verifiers. The kind determines the issuer and the keys.
struct SignedTokenVerifier: Sendable {
  enum Kind: Sendable {
    case idTokens, sessionCookies
  }

  private let verifier: TokenVerifier
  private let keys: ServerKeys
  private let liveness: LivenessCheck
  private let now: @Sendable () -> Date

  init(
    _ kind: Kind, _ configuration: VerifierConfiguration, transport: any ServerTransport,
    now: @escaping @Sendable () -> Date
  ) {
    let isOfCookies = kind == .sessionCookies
    var policy = TokenPolicy(
      issuers: [isOfCookies ? configuration.sessionCookieIssuer : configuration.issuer],
      audiences: [configuration.projectID], algorithms: [.rs256, .es256])
    policy.clockSkewSeconds = configuration.clockSkewSeconds
    // The server leaves `typ` out of cookies, as Firebase does.
    policy.requiresType = !isOfCookies
    policy.allowsEventsClaim = true
    policy.maximumSubjectBytes = UID.maximumBytes
    verifier = TokenVerifier(policy: policy)
    keys = ServerKeys(
      url: configuration.keySet(of: kind), timeout: configuration.timeout,
      staleSeconds: configuration.staleKeySeconds, transport: transport, now: now)
    liveness = LivenessCheck(kind, configuration, transport: transport)
    self.now = now
  }

  func prepare() async throws(ServerFault) { _ = try await keys.keys() }

  func verifyAskingServer(_ text: String) async throws(VerificationError) -> AuthenticatedUser {
    let user = try await verify(text)
    guard try await liveness.check(text, of: user) else { throw await unknownToken(text) }
    return user
  }

  /// Why the server doesn't know a token that was verified with the keys in memory.
  private func unknownToken(_ text: String) async -> VerificationError {
    // If the key is in the server's present key set, the token is the server's, and the configuration is wrong.
    let isWrong = VerificationError.unavailable(.status(400))
    guard let snapshot = try? await keys.keys(), let newer = await keys.keys(after: snapshot) else {
      return isWrong
    }
    do throws(TokenError) {
      _ = try verifier.verify(try UnverifiedToken(text), keys: newer.keys, now: now())
      return isWrong
    } catch {
      return .refused(error)
    }
  }

  func verify(_ text: String) async throws(VerificationError) -> AuthenticatedUser {
    let token: UnverifiedToken
    do throws(TokenError) {
      token = try UnverifiedToken(text)
    } catch {
      throw .refused(error)
    }
    let snapshot: ServerKeySet
    do throws(ServerFault) {
      snapshot = try await keys.keys()
    } catch {
      throw .unavailable(error)
    }
    let now = now()
    let verified: VerifiedToken
    do throws(TokenError) {
      verified = try verifier.verify(token, keys: snapshot.keys, now: now)
    } catch {
      // Newer keys can resolve only this error.
      guard error.code == .keyUnknown, let newer = await keys.keys(after: snapshot) else {
        throw .refused(error)
      }
      verified = try verify(token, newer, now)
    }
    return try AuthenticatedUser(
      verified, now: now, clockSkewSeconds: verifier.policy.clockSkewSeconds)
  }

  private func verify(
    _ token: UnverifiedToken, _ snapshot: ServerKeySet, _ now: Date
  ) throws(VerificationError) -> VerifiedToken {
    do throws(TokenError) {
      return try verifier.verify(token, keys: snapshot.keys, now: now)
    } catch {
      throw .refused(error)
    }
  }
}
