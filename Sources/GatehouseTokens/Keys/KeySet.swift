import GatehouseJSON
import GatehouseModel

/// The public keys of one issuer (RFC 7517 §5), each parsed once. Finds the key that a token names.
///
/// An unusable entry doesn't make the set unusable. Keys of an unsupported kind or algorithm are
/// skipped (§5: "SHOULD ignore JWKs within a JWK Set that use kty values that are not understood").
/// Other unusable keys, such as weak or malformed ones, are listed in ``refused`` for diagnosis.
public struct KeySet: Sendable {
  /// The keys that signatures can be verified with.
  public let keys: [VerificationKey]

  /// Entries that are not used, with the reason. Keys of an unsupported kind or algorithm aren't listed.
  public let refused: [RefusedKey]

  /// The greatest number of entries. A larger set is refused.
  public static let greatestCount = 100

  /// An entry that is not used.
  public struct RefusedKey: Sendable, Hashable {
    public let keyID: String?
    public let reason: Reason

    public enum Reason: String, Sendable, Hashable {
      /// RSA under 2048 bits, or from the flawed generator of CVE-2017-15361.
      case tooWeak
      /// RSA over 8192 bits.
      case tooLarge
      /// An RSA exponent that is 1, even, or longer than four bytes.
      case exponent
      /// `alg` isn't one for this kind of key.
      case algorithm
      /// A member is absent, of another type or not canonical base64url, or the key is not valid.
      case malformed
      /// `use` isn't `sig`, or `key_ops` lacks `verify`.
      case use
    }
  }

  public init(_ keys: [VerificationKey]) {
    self.keys = keys
    refused = []
  }

  /// The keys of several sets of one issuer.
  public init(joining sets: [KeySet]) {
    keys = sets.flatMap(\.keys)
    refused = sets.flatMap(\.refused)
  }

  /// Reads a JWK Set document.
  ///
  /// - Parameters:
  ///   - jwks: The document's bytes.
  ///   - maximumBytes: A longer document is refused.
  /// - Throws: ``KeySetError``; never because of a single entry.
  public init(jwks: [UInt8], maximumBytes: Int = 256 * 1024) throws(KeySetError) {
    let document: JSONObject
    do throws(JSONError) {
      document = try JSONObject(
        parsing: jwks, limits: JSONLimits(bytes: maximumBytes, depth: 8, values: 10_000))
    } catch {
      throw error.code == .tooManyBytes ? .tooLong : .notJSON
    }
    try self.init(document)
  }

  init(_ document: JSONObject) throws(KeySetError) {
    guard let entries = document["keys"]?.array else { throw .noKeysMember }
    guard entries.count <= Self.greatestCount else { throw .tooManyKeys }
    var keys: [VerificationKey] = []
    var refused: [RefusedKey] = []
    for entry in entries {
      let jwk = entry.object ?? JSONObject()
      do throws(VerificationKey.Rejection) {
        keys.append(try VerificationKey(jwk: jwk))
      } catch {
        switch error {
        case .unsupported: break
        case .notForVerifying:
          refused.append(RefusedKey(keyID: jwk["kid"]?.string, reason: .use))
        case .refused(let reason):
          refused.append(RefusedKey(keyID: jwk["kid"]?.string, reason: reason))
        }
      }
    }
    self.keys = keys
    self.refused = refused
  }

  /// The one key for a token with this header.
  ///
  /// There is no fallback to another key:
  /// - An unknown `kid` is refused with ``TokenError/Code/keyUnknown``: fetch the set again.
  /// - A `kid` of two keys is refused with `keyAmbiguous`.
  /// - A key of another kind or with another `alg` is refused with `keyAlgorithm`.
  /// - A key that is in the set but isn't used is refused with `keyUse` or `keyRefused`.
  /// - Without a `kid` (OpenID Connect Core §10.1 allows that for a set with a single key), exactly
  ///   one key must fit the algorithm: otherwise `keyUnknown` or `keyIDRequired`.
  public func key(for header: TokenHeader) throws(TokenError) -> VerificationKey {
    guard let keyID = header.keyID else { return try onlyKey(for: header.algorithm) }
    let named = keys.filter { $0.keyID?.hasSameBytes(as: keyID) ?? false }
    guard let key = named.first else { throw absence(of: keyID) }
    guard named.count == 1 else { throw TokenError(.keyAmbiguous, received: [keyID]) }
    guard key.fits(header.algorithm) else {
      throw TokenError(
        .keyAlgorithm, expected: key.algorithms.map(\.rawValue),
        received: [header.algorithm.rawValue])
    }
    return key
  }

  private func onlyKey(
    for algorithm: SignatureAlgorithm
  ) throws(TokenError) -> VerificationKey {
    let fitting = keys.filter { $0.fits(algorithm) }
    guard let key = fitting.first else { throw TokenError(.keyUnknown) }
    guard fitting.count == 1 else { throw TokenError(.keyIDRequired) }
    return key
  }

  private func absence(of keyID: String) -> TokenError {
    switch refused.first(where: { $0.keyID?.hasSameBytes(as: keyID) ?? false })?.reason {
    case nil:
      TokenError(.keyUnknown, expected: keys.compactMap(\.keyID), received: [keyID])
    case .use: TokenError(.keyUse, received: [keyID])
    case let reason?: TokenError(.keyRefused, received: [reason.rawValue])
    }
  }
}

/// Why a document isn't a key set.
public enum KeySetError: String, Error, Sendable, Hashable {
  case tooLong
  /// Not a JSON object, or an object with duplicate members, too many values or too deep nesting.
  case notJSON
  /// Without an array `keys` (RFC 7517 §5.1).
  case noKeysMember
  /// More than ``KeySet/greatestCount``.
  case tooManyKeys
}
