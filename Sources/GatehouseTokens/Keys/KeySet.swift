import GatehouseProtocol

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

  /// The number of entries of the document, usable or not.
  public let count: Int

  /// The greatest number of entries. A larger set is refused.
  public static let greatestCount = 100

  /// An entry that is not used.
  public struct RefusedKey: Sendable, Hashable {
    public let keyID: String?
    public let reason: Reason
    /// What is wrong, such as `n is not base64url`.
    public let detail: String

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
    count = keys.count
  }

  /// The keys of several sets of one issuer.
  public init(joining sets: [KeySet]) {
    keys = sets.flatMap(\.keys)
    refused = sets.flatMap(\.refused)
    count = sets.reduce(0) { $0 + $1.count }
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
        case .refused(let reason, let detail):
          refused.append(
            RefusedKey(keyID: jwk.optional("kid")?.string, reason: reason, detail: detail))
        }
      }
    }
    self.keys = keys
    self.refused = refused
    count = entries.count
  }

  /// The one key for a token with this header.
  ///
  /// "Different keys within the JWK Set SHOULD use distinct "kid" values" (RFC 7517 §4.5). Some
  /// issuers have one `kid` for keys of different kinds, or list a key once for each algorithm. So
  /// the keys with the token's `kid` are those that also fit its algorithm, by their kind and their
  /// `alg`. Entries with the same key material are one key. There is no fallback to another key:
  /// - An unknown `kid` is refused with ``TokenError/Code/keyUnknown``: fetch the set again.
  /// - If different keys remain, the token is refused with `keyAmbiguous`.
  /// - If none of the keys with the `kid` fits the algorithm, with `keyAlgorithm`.
  /// - A key that is in the set but isn't used is refused with `keyUse` or `keyRefused`.
  /// - Without a `kid` (OpenID Connect Core §10.1 allows that for a set with a single key), exactly
  ///   one key must fit the algorithm: otherwise `keyUnknown` or `keyIDRequired`.
  public func key(for header: TokenHeader) throws(TokenError) -> VerificationKey {
    guard let keyID = header.keyID else { return try onlyKey(for: header.algorithm) }
    let named = keys.filter { $0.keyID?.hasSameBytes(as: keyID) ?? false }
    if named.isEmpty { throw absence(of: keyID) }
    let fitting = named.filter { $0.fits(header.algorithm) }
    guard let key = fitting.first else {
      throw TokenError(
        .keyAlgorithm,
        expected: SignatureAlgorithm.allCases.filter { algorithm in
          named.contains { $0.fits(algorithm) }
        }.map(\.rawValue), received: [header.algorithm.rawValue])
    }
    guard fitting.dropFirst().allSatisfy({ $0.hasSameMaterial(as: key) }) else {
      throw TokenError(.keyAmbiguous, received: [keyID])
    }
    return key
  }

  /// The keys whose tokens ``key(for:)`` refuses although they are usable, because it can't tell
  /// which of several keys a token means.
  ///
  /// - Parameter algorithms: Those that are accepted.
  public func indistinguishable(
    among algorithms: Set<SignatureAlgorithm>
  ) -> [(keyID: String?, algorithm: SignatureAlgorithm)] {
    var found: [(keyID: String?, algorithm: SignatureAlgorithm)] = []
    for key in keys {
      for algorithm in key.algorithms where algorithms.contains(algorithm) {
        let header = TokenHeader(algorithm: algorithm, keyID: key.keyID)
        let isKnown = found.contains { TokenHeader(algorithm: $1, keyID: $0) == header }
        if !isKnown, (try? self.key(for: header)) == nil { found.append((key.keyID, algorithm)) }
      }
    }
    return found
  }

  private func onlyKey(
    for algorithm: SignatureAlgorithm
  ) throws(TokenError) -> VerificationKey {
    let fitting = keys.filter { $0.fits(algorithm) }
    guard let key = fitting.first else { throw TokenError(.keyUnknown) }
    guard fitting.dropFirst().allSatisfy({ $0.hasSameMaterial(as: key) }) else {
      throw TokenError(.keyIDRequired)
    }
    return key
  }

  private func absence(of keyID: String) -> TokenError {
    guard let key = refused.first(where: { $0.keyID?.hasSameBytes(as: keyID) ?? false }) else {
      return TokenError(.keyUnknown, expected: keys.compactMap(\.keyID), received: [keyID])
    }
    return TokenError(
      key.reason == .use ? .keyUse : .keyRefused, received: [key.description])
  }
}

extension KeySet.RefusedKey: CustomStringConvertible {
  /// `key k1: n is not base64url`
  public var description: String {
    "\(KeySet.shown(keyID).map { "key \($0)" } ?? "a key without kid"): \(detail)"
  }
}

extension KeySet {
  /// A `kid` for a log or a terminal: at most 64 characters, of visible ASCII.
  public static func shown(_ keyID: String?) -> String? {
    keyID.map { keyID in
      let bytes = keyID.utf8.prefix(64).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
      return String(decoding: bytes, as: UTF8.self) + (keyID.utf8.count > 64 ? "…" : "")
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
