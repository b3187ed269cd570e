/// What is wrong, or unusual, with the codes, tokens and keys of a provider.
struct TokenFaults: RequestBodyMembers, Encodable, Equatable {
  static let members: Set<String> = [
    "issuer", "stringBooleans", "expiredCodes", "expiredTokens", "badSignature", "setClaims",
    "omitClaims", "setHeader", "omitHeader", "algorithm", "setKey", "omitKey", "duplicateKey",
    "addKeys", "setUserInfo", "omitUserInfo", "setDiscovery", "omitDiscovery", "setAnswer",
    "omitAnswer",
  ]

  /// The `iss` of ID tokens. Apple's has been `https://account.apple.com` too.
  var issuer: String?
  /// `"true"` for `true` in ID tokens, as Apple does now and then.
  var stringBooleans: Bool?
  /// Codes are expired as soon as they are made, and those made before are taken for expired.
  var expiredCodes: Bool?
  /// ID tokens expired an hour ago; access tokens are expired as soon as they are made.
  var expiredTokens: Bool?
  /// The signature of ID tokens doesn't verify.
  var badSignature: Bool?
  var setClaims: [String: JSONValue]?
  var omitClaims: [String]?
  var setHeader: [String: JSONValue]?
  var omitHeader: [String]?
  /// What ID tokens are signed with, and the `alg` of the header and of the published keys.
  var algorithm: SigningAlgorithm?
  /// Members of every published key: `{"use":"enc"}`.
  var setKey: [String: JSONValue]?
  /// Members that no published key has: `["kid"]`.
  var omitKey: [String]?
  /// The key set begins with another key under the same `kid`.
  var duplicateKey: Bool?
  /// Keys that are published before the provider's own, such as of a kind that nobody knows.
  var addKeys: [JSONValue]?
  /// Members of what the UserInfo endpoint answers: another `sub`.
  var setUserInfo: [String: JSONValue]?
  var omitUserInfo: [String]?
  /// Members of the discovery document, where the provider has one.
  var setDiscovery: [String: JSONValue]?
  var omitDiscovery: [String]?
  /// Parameters of the authorization endpoint's answer, there too: another `iss`, an `error`.
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

  /// Moves every time back so far that the end was an hour ago.
  private static func expire(_ claims: inout [String: JSONValue]) {
    guard case .integer(let issuedAt)? = claims["iat"], case .integer(let expiry)? = claims["exp"]
    else { return }
    let back = expiry - issuedAt + 3_600
    for name in ["iat", "nbf", "exp", "auth_time"] {
      if case .integer(let time)? = claims[name] { claims[name] = .integer(time - back) }
    }
  }
}
