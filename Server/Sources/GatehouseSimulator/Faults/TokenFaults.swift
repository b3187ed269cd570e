/// Faults and variations of a provider's codes, tokens and keys.
struct TokenFaults: RequestBodyMembers, Encodable, Equatable {
  static let members: Set<String> = [
    "issuer", "stringBooleans", "expiredCodes", "expiredTokens", "badSignature", "setClaims",
    "omitClaims", "setHeader", "omitHeader", "algorithm", "setKey", "omitKey", "duplicateKey",
    "addKeys", "setUserInfo", "omitUserInfo", "setDiscovery", "omitDiscovery", "setAnswer",
    "omitAnswer",
  ]

  /// The `iss` of ID tokens. Apple has also used `https://account.apple.com`.
  var issuer: String?
  /// Writes `"true"` for `true` in ID tokens, as Apple sometimes does.
  var stringBooleans: Bool?
  /// New codes are already expired, and existing codes are treated as expired.
  var expiredCodes: Bool?
  /// ID tokens expired an hour ago; access tokens are expired when they are issued.
  var expiredTokens: Bool?
  /// The signature of ID tokens is invalid.
  var badSignature: Bool?
  var setClaims: [String: JSONValue]?
  var omitClaims: [String]?
  var setHeader: [String: JSONValue]?
  var omitHeader: [String]?
  /// The algorithm that signs ID tokens: the `alg` of the header and of the published keys.
  var algorithm: SigningAlgorithm?
  /// Members to set in every published key: `{"use":"enc"}`.
  var setKey: [String: JSONValue]?
  /// Members to remove from every published key: `["kid"]`.
  var omitKey: [String]?
  /// Adds another, unrelated key with the same `kid` at the start of the key set; for a provider
  /// with several key rings, one for each.
  var duplicateKey: Bool?
  /// Keys to publish before the provider's own, for example of an unknown type. They are after the
  /// key of `duplicateKey`.
  var addKeys: [JSONValue]?
  /// Members to set in UserInfo responses, for example another `sub`.
  var setUserInfo: [String: JSONValue]?
  var omitUserInfo: [String]?
  /// Members to set in the discovery document, if the provider has one.
  var setDiscovery: [String: JSONValue]?
  var omitDiscovery: [String]?
  /// Parameters to set in authorization responses, also in error responses: another `iss`, an
  /// `error`.
  var setAnswer: [String: String]?
  var omitAnswer: [String]?

  func apply(toHeader header: inout [String: JSONValue], claims: inout [String: JSONValue]) {
    if let algorithm { header["alg"] = .string(algorithm.rawValue) }
    if let issuer { claims["iss"] = .string(issuer) }
    if expiredTokens == true { Self.expire(&claims) }
    claims.merge(setClaims ?? [:]) { _, set in set }
    for name in omitClaims ?? [] { claims[name] = nil }
    if stringBooleans == true {
      claims = claims.mapValues { value in
        if case .bool(let flag) = value { .string(flag ? "true" : "false") } else { value }
      }
    }
    header.merge(setHeader ?? [:]) { _, set in set }
    for name in omitHeader ?? [] { header[name] = nil }
  }

  func apply(toKey key: inout [String: JSONValue]) {
    if let algorithm, algorithm.hasPublicKey { key["alg"] = .string(algorithm.rawValue) }
    key.merge(setKey ?? [:]) { _, set in set }
    for name in omitKey ?? [] { key[name] = nil }
  }

  func apply(toUserInfo claims: inout [String: JSONValue]) {
    claims.merge(setUserInfo ?? [:]) { _, set in set }
    for name in omitUserInfo ?? [] { claims[name] = nil }
  }

  func apply(toDiscovery document: inout [String: JSONValue]) {
    document.merge(setDiscovery ?? [:]) { _, set in set }
    for name in omitDiscovery ?? [] { document[name] = nil }
  }

  func apply(toAnswer fields: inout [(name: String, value: String)]) {
    let changed = Set(omitAnswer ?? []).union((setAnswer ?? [:]).keys)
    fields.removeAll { changed.contains($0.name) }
    fields += (setAnswer ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Moves all times into the past, so that the token expired an hour ago.
  private static func expire(_ claims: inout [String: JSONValue]) {
    guard case .integer(let issuedAt)? = claims["iat"], case .integer(let expiry)? = claims["exp"]
    else { return }
    let back = expiry - issuedAt + 3_600
    for name in ["iat", "nbf", "exp", "auth_time"] {
      if case .integer(let time)? = claims[name] { claims[name] = .integer(time - back) }
    }
  }
}
