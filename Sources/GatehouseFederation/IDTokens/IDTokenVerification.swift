import GatehouseModel
import GatehouseTokens

import struct Foundation.Date

/// Verifies providers' ID tokens with their remote keys.
struct IDTokenVerification: Sendable {
  let remoteKeys: RemoteKeys
  let clockSkewSeconds: Int

  /// Verifies form, key, signature and claims, in this order: nothing of a claim is told before the
  /// signature shows who made it. Not the nonce nor the hashes, which belong to the request.
  ///
  /// - Parameter audiences: Of the configuration, at least one.
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

    let snapshot: RemoteKeySet
    do throws(RemoteKeyFailure) {
      snapshot = try await remoteKeys.keys(of: rules.keys, now: now)
    } catch {
      throw .unreachable(error)
    }
    let verify = { (snapshot: RemoteKeySet) throws(TokenError) in
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

  /// Whether the provider may have changed its keys: the set lacks the one that is named. Where
  /// none is named, as OpenID Connect Core §10.1 allows with a single key, a bad signature is the
  /// only sign of it.
  private static func mayBeOfNewerKey(_ error: TokenError, _ header: TokenHeader) -> Bool {
    switch error.code {
    case .keyUnknown: true
    case .signature, .keyIDRequired: header.keyID == nil
    default: false
    }
  }
}
