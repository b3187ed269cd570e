import GatehouseTokens

import struct Foundation.Date

/// Verifies a token with a provider's remote keys, and once more with newer keys if the provider
/// may have changed them.
struct RemoteKeyVerification: Sendable {
  let remoteKeys: RemoteKeys
  let failures: TokenFailures

  /// As ``verify(_:keysOf:now:_:)`` of a token that was read.
  func verify<Verified>(
    _ compact: String, keysOf source: KeySource, now: Date,
    _ verify: (UnverifiedToken, RemoteKeySet) throws(TokenError) -> Verified
  ) async throws(FederationError) -> Verified {
    let token: UnverifiedToken
    do throws(TokenError) {
      token = try UnverifiedToken(compact)
    } catch {
      throw failures.federationError(error)
    }
    return try await self.verify(token, keysOf: source, now: now) { keys throws(TokenError) in
      try verify(token, keys)
    }
  }

  /// - Throws: ``FederationError/unreachable(_:)`` if the keys can't be fetched, or the error of
  ///   `verify` as a ``FederationError``.
  func verify<Verified>(
    _ token: UnverifiedToken, keysOf source: KeySource, now: Date,
    _ verify: (RemoteKeySet) throws(TokenError) -> Verified
  ) async throws(FederationError) -> Verified {
    let keys = try await Self.requireKeys(of: source, in: remoteKeys, now: now)
    do throws(TokenError) {
      do throws(TokenError) {
        return try verify(keys)
      } catch {
        guard Self.mayBeOfNewerKey(error, token.header),
          let newer = await remoteKeys.keys(of: source, after: keys, now: now)
        else { throw error }
        return try verify(newer)
      }
    } catch {
      throw failures.federationError(error)
    }
  }

  /// Keys of which at least one is usable.
  ///
  /// - Throws: ``FederationError/unreachable(_:)``.
  @discardableResult static func requireKeys(
    of source: KeySource, in remoteKeys: RemoteKeys, now: Date
  ) async throws(FederationError) -> RemoteKeySet {
    var keys = try await keys(of: source, in: remoteKeys, now: now)
    // The provider may have published a key since.
    if keys.lack != nil {
      keys = await remoteKeys.keys(of: source, after: keys, now: now) ?? keys
    }
    if let lack = keys.lack { throw .unreachable(lack) }
    return keys
  }

  /// - Throws: ``FederationError/unreachable(_:)``.
  static func keys(
    of source: KeySource, in remoteKeys: RemoteKeys, now: Date
  ) async throws(FederationError) -> RemoteKeySet {
    do throws(RemoteKeyFailure) {
      return try await remoteKeys.keys(of: source, now: now)
    } catch {
      throw .unreachable(error)
    }
  }

  /// Whether the provider may have changed its keys: the set lacks the key that the token names, by
  /// its `kid`, or by the `kid` of several keys and the token's algorithm. A
  /// token may name none if there is a single key (OpenID Connect Core §10.1). Then the sign of a
  /// change is an invalid signature, or a set with several keys of the token's algorithm.
  private static func mayBeOfNewerKey(_ error: TokenError, _ header: TokenHeader) -> Bool {
    switch error.code {
    case .keyUnknown, .keyAlgorithm: true
    case .signature, .keyIDRequired: header.keyID == nil
    default: false
    }
  }
}
