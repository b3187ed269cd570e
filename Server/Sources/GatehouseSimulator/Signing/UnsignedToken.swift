import Foundation

/// A JWT without its signature. Signing happens outside the state's lock.
struct UnsignedToken: Sendable {
  fileprivate let header: JSONValue
  fileprivate let claims: JSONValue
  fileprivate let key: SigningKey
  fileprivate let algorithm: SigningAlgorithm
  fileprivate let breaksSignature: Bool
  fileprivate let clientSecret: String

  /// The compact serialization (RFC 7515 §7.1).
  func signed() throws -> String {
    let signingInput =
      "\(Base64URL.text(try header.data())).\(Base64URL.text(try claims.data()))"
    var signature = try key.signature(
      of: Data(signingInput.utf8), algorithm, clientSecret: clientSecret)
    if breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
    return "\(signingInput).\(Base64URL.text(signature))"
  }
}

extension SimulatorState {
  /// Adds a header of `provider` to `claims`, and applies the faults.
  ///
  /// - Parameter client: The client whose secret is the key for `HS256`.
  mutating func unsignedToken(
    _ provider: Provider, claims: [String: JSONValue], for client: String? = nil,
    faults: TokenFaults?
  ) throws -> UnsignedToken {
    let ring = KeyRing(provider: provider, name: provider.kind.keyRing(for: claims))
    let key = try signingKeys(of: ring).current
    var header: [String: JSONValue] = ["alg": "RS256", "kid": .string(key.id)]
    if provider.kind.writesTokenType { header["typ"] = "JWT" }
    var claims = claims
    faults?.apply(toHeader: &header, claims: &claims)
    return UnsignedToken(
      header: .object(header), claims: .object(claims), key: key,
      algorithm: faults?.algorithm ?? .rs256, breaksSignature: faults?.badSignature == true,
      clientSecret: client.flatMap { clients[provider, $0]?.clientSecret } ?? "")
  }
}
