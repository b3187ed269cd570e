import GatehouseModel
import GatehouseTokens

import struct Foundation.Date

/// Verifies providers' ID tokens with their remote keys.
struct IDTokenVerification: Sendable {
  let remoteKeys: RemoteKeys
  let clockSkewSeconds: Int

  /// Verifies form, key, signature and claims, in this order: no claim is reported before the
  /// signature shows who issued it. Doesn't check the nonce and the hashes, which belong to the
  /// request.
  ///
  /// - Parameter audiences: At least one, from the configuration.
  func verify(
    _ compact: String, _ rules: IDTokenRules, audiences: [String],
    _ configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> VerifiedIDToken {
    let failures = TokenFailures(
      issuer: rules.tenants?.configured ?? rules.issuers.first ?? "",
      clientID: configuration.clientID)
    let token: UnverifiedToken
    do throws(TokenError) {
      token = try UnverifiedToken(compact)
    } catch {
      throw failures.federationError(error)
    }

    var policy = TokenPolicy(
      issuers: rules.issuers, audiences: audiences, algorithms: rules.algorithms)
    policy.tenants = rules.tenants
    policy.trustedAudiences = configuration.trustedAudiences
    policy.clockSkewSeconds = clockSkewSeconds
    let verifier = TokenVerifier(policy: policy)

    let snapshot: KeySnapshot
    do throws(RemoteKeyFailure) {
      snapshot = try await remoteKeys.keys(of: rules.keys, now: now)
    } catch {
      throw .unreachable(error)
    }
    let verify = { (snapshot: KeySnapshot) throws(TokenError) in
      VerifiedIDToken(
        token: try verifier.verify(token, keys: snapshot.keys, now: now),
        metadata: snapshot.metadata)
    }
    do throws(TokenError) {
      do throws(TokenError) {
        return try verify(snapshot)
      } catch {
        guard Self.mayBeOfNewerKey(error, token.header),
          let newer = await remoteKeys.keys(of: rules.keys, after: snapshot, now: now)
        else { throw error }
        return try verify(newer)
      }
    } catch {
      throw failures.federationError(error)
    }
  }

  /// Whether the provider may have changed its keys: the set lacks the key that the token names. If
  /// the token names no key, as OpenID Connect Core §10.1 allows with a single key, a bad signature
  /// is the only sign.
  private static func mayBeOfNewerKey(_ error: TokenError, _ header: TokenHeader) -> Bool {
    switch error.code {
    case .keyUnknown: true
    case .signature, .keyIDRequired: header.keyID == nil
    default: false
    }
  }
}
