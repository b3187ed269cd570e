package import Foundation
package import GatehouseTokens

/// The current keys of one kind of our own tokens.
package protocol TokenKeys: Sendable {
  /// Signs with the algorithm's active key.
  func writer(_ algorithm: TokenAlgorithm) -> TokenWriter
  /// All keys that may have signed a token that is still valid.
  var keySet: KeySet { get }
}

/// The keys of one kind of tokens: a ring for each algorithm that a project may choose.
///
/// All rings exist and are published from the first start of a server on. So when a project changes its
/// algorithm, verifiers can know the key already.
package struct TokenSigningKeys: TokenKeys {
  private let rs256: SigningKeys
  private let es256: SigningKeys

  package enum Use: Sendable {
    case idTokens, sessionCookies

    package var rings: [SigningKeyRecord.Ring] {
      switch self {
      case .idTokens: [.idTokens, .idTokensES256]
      case .sessionCookies: [.sessionCookies, .sessionCookiesES256]
      }
    }

    fileprivate func ring(_ algorithm: TokenAlgorithm) -> SigningKeyRecord.Ring {
      switch (self, algorithm) {
      case (.idTokens, .rs256): .idTokens
      case (.idTokens, .es256): .idTokensES256
      case (.sessionCookies, .rs256): .sessionCookies
      case (.sessionCookies, .es256): .sessionCookiesES256
      }
    }
  }

  /// Loads the rings, and creates the first key of each that has none.
  package static func open(
    _ use: Use, store: any Store, forms: any SigningKeyForms, now: Date
  ) async throws -> TokenSigningKeys {
    func ring(_ algorithm: TokenAlgorithm) async throws -> SigningKeys {
      try await SigningKeys.open(use.ring(algorithm), store: store, forms: forms, now: now)
    }
    return TokenSigningKeys(rs256: try await ring(.rs256), es256: try await ring(.es256))
  }

  /// Rotates keys if the schedule requires it, and loads the changes of other processes.
  package func refresh(now: Date) async throws {
    for ring in rings { try await ring.refresh(now: now) }
  }

  private var rings: [SigningKeys] { [rs256, es256] }

  package func writer(_ algorithm: TokenAlgorithm) -> TokenWriter {
    switch algorithm {
    case .rs256: rs256.writer
    case .es256: es256.writer
    }
  }

  package var keySet: KeySet { KeySet(joining: rings.map(\.keySet)) }

  /// The published keys. Those of RS256 come first, for verifiers that always use the first key.
  package var published: [PublishedSigningKey] { rings.flatMap(\.published) }

  /// The key set document (RFC 7517 §5).
  package var document: [UInt8] { PublicJWK.keySet(published.map(\.jwk)) }
}
