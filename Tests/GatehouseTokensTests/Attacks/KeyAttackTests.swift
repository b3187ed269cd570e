import GatehouseProtocol
import GatehouseTokens
import Testing

/// Attacks 7–9, with key sets.
@Suite struct KeyAttackTests {
  private func verify(_ jwks: [JSONObject], _ token: String? = nil) throws -> VerifiedToken {
    try Fixture.verify(try token ?? Fixture.token(), keys: try keySet(jwks))
  }

  @Test func `the unchanged key set is accepted`() throws {
    _ = try verify([try jwk(of: try Fixture.key)])
  }

  @Test func `an RSA key under 2048 bits is refused`() throws {
    let short = Base64URL.encode([0x80] + [UInt8](repeating: 0xFF, count: 254))
    let key = try jwk(of: try Fixture.key) { $0["n"] = .string(short) }
    #expect(refusal { try verify([key]) } == .keyRefused)
    #expect(try keySet([key]).refused.map(\.reason) == [.tooWeak])
  }

  @Test func `leading zeros don't count as bits of the modulus`() throws {
    let padded = Base64URL.encode([0, 0, 0x80] + [UInt8](repeating: 0xFF, count: 254))
    let key = try jwk(of: try Fixture.key) { $0["n"] = .string(padded) }
    #expect(try keySet([key]).refused.map(\.reason) == [.tooWeak])
  }

  @Test func `an RSA key from the flawed generator is refused`() throws {
    // The check finds any power of 65537, because all its remainders are powers of 65537.
    var modulus: [UInt8] = [1]
    for _ in 0..<128 { modulus = timesGenerator(modulus) }
    #expect(modulus.count > 256)
    let key = try jwk(of: try Fixture.key) { $0["n"] = .string(Base64URL.encode(modulus)) }
    #expect(try keySet([key]).refused.map(\.reason) == [.tooWeak])
  }

  /// `number · 65537`, that is `number · 2¹⁶ + number`, big-endian.
  private func timesGenerator(_ number: [UInt8]) -> [UInt8] {
    let shifted = number + [0, 0]
    let padded = [UInt8](repeating: 0, count: 2) + number
    var carry = 0
    let digits = zip(shifted, padded).reversed().map { left, right in
      let sum = Int(left) + Int(right) + carry
      carry = sum >> 8
      return UInt8(truncatingIfNeeded: sum)
    }
    return (carry > 0 ? [UInt8(carry)] : []) + digits.reversed()
  }

  @Test func `an RSA key over 8192 bits is refused`() throws {
    let long = Base64URL.encode([UInt8](repeating: 0xFF, count: 1025))
    let key = try jwk(of: try Fixture.key) { $0["n"] = .string(long) }
    #expect(try keySet([key]).refused.map(\.reason) == [.tooLarge])
  }

  @Test(arguments: [[1], [2], [0], [1, 0, 0], [0, 1], [1, 0, 0, 0, 1]] as [[UInt8]])
  func `a bad RSA exponent is refused`(exponent: [UInt8]) throws {
    let key = try jwk(of: try Fixture.key) { $0["e"] = .string(Base64URL.encode(exponent)) }
    #expect(refusal { try verify([key]) } == .keyRefused)
    #expect(try keySet([key]).refused.map(\.reason) == [.exponent])
  }

  @Test func `an unknown kid is refused, even with a single key`() throws {
    let token = try Fixture.token(header: { $0["kid"] = "other" })
    #expect(refusal { try Fixture.verify(token) } == .keyUnknown)
    let unnamed = try jwk(of: try Fixture.key) { $0["kid"] = nil }
    #expect(refusal { try verify([unnamed]) } == .keyUnknown)
  }

  @Test func `a kid is compared byte for byte`() throws {
    let composed = try jwk(of: try Fixture.key) { $0["kid"] = "caf\u{e9}" }
    let decomposed = try Fixture.token(header: { $0["kid"] = "cafe\u{301}" })
    #expect(refusal { try verify([composed], decomposed) } == .keyUnknown)
    let kelvin = try jwk(of: try Fixture.key) { $0["kid"] = "\u{212A}" }
    let letter = try Fixture.token(header: { $0["kid"] = "K" })
    #expect(refusal { try verify([kelvin], letter) } == .keyUnknown)
  }

  @Test func `a kid that two keys share is refused`() throws {
    let ours = try jwk(of: try Fixture.key)
    let other = try jwk(of: try Fixture.otherKey) { $0["kid"] = ours["kid"] }
    #expect(refusal { try verify([ours, other]) } == .keyAmbiguous)
    #expect(refusal { try verify([other, ours]) } == .keyAmbiguous)
  }

  private static let anyOf = TokenPolicy(
    issuers: [Fixture.issuer], audiences: [Fixture.audience],
    algorithms: Set(SignatureAlgorithm.allCases))

  @Test func `of keys of different kinds with one kid, the token's algorithm chooses`() throws {
    let elliptic = EllipticKey(keyID: "shared")
    let rsa = try jwk(of: try Fixture.key) { $0["kid"] = "shared" }
    let token = try Fixture.token(header: { $0["kid"] = "shared" })
    for set in [[rsa, elliptic.jwk], [elliptic.jwk, rsa]] {
      let keys = try keySet(set)
      try Fixture.verify(token, keys: keys, policy: Self.anyOf)
      try Fixture.verify(try elliptic.token(), keys: keys, policy: Self.anyOf)
      // The other key's token under the same kid isn't verified by "some key of the set".
      let stranger = try EllipticKey(keyID: "shared").token()
      #expect(
        refusal { try Fixture.verify(stranger, keys: keys, policy: Self.anyOf) } == .signature)
      #expect(keys.indistinguishable(among: Self.anyOf.algorithms).isEmpty)
    }
    let pss = try Fixture.token(header: {
      $0["kid"] = "shared"
      $0["alg"] = "ES384"
    })
    let error = #expect(throws: TokenError.self) {
      try Fixture.verify(pss, keys: try keySet([rsa, elliptic.jwk]), policy: Self.anyOf)
    }
    #expect(error?.code == .keyAlgorithm)
    #expect(error?.expected == ["RS256", "ES256"])
  }

  @Test func `a key that is listed once for each algorithm verifies each of them`() throws {
    let listed = try ["RS512", "RS256", "RS384"].map { algorithm in
      try jwk(of: try Fixture.key) { $0["alg"] = .string(algorithm) }
    }
    _ = try verify(listed)
    _ = try verify(listed, try Fixture.token(header: { $0["kid"] = nil }))
    let set = try keySet(listed)
    #expect(set.indistinguishable(among: Self.anyOf.algorithms).isEmpty)
    let other = try Fixture.token(header: { $0["alg"] = "PS256" })
    #expect(
      refusal { try Fixture.verify(other, keys: set, policy: Self.anyOf) } == .keyAlgorithm)
  }

  @Test func `the same key twice is one key, whatever its other members are`() throws {
    let ours = try jwk(of: try Fixture.key)
    let general = Fixture.with(ours) {
      $0["alg"] = nil
      $0["use"] = nil
    }
    let unnamed = try Fixture.token(header: { $0["kid"] = nil })
    for other in [ours, general] {
      _ = try verify([ours, other])
      _ = try verify([other, ours], unnamed)
    }
  }

  @Test func `an alg narrows a kid that different keys share, and nothing else does`() throws {
    let ours = try jwk(of: try Fixture.key)
    let other = try jwk(of: try Fixture.otherKey) { $0["kid"] = ours["kid"] }
    let of512 = Fixture.with(other) { $0["alg"] = "RS512" }
    let ofEncryption = Fixture.with(other) { $0["use"] = "enc" }
    let ofAny = Fixture.with(other) { $0["alg"] = nil }
    for others in [of512, ofEncryption] {
      _ = try verify([others, ours])
      _ = try verify([ours, others])
    }
    #expect(refusal { try verify([ours, ofAny]) } == .keyAmbiguous)
    #expect(refusal { try verify([ofAny, ours]) } == .keyAmbiguous)
    let unclear = try keySet([ofAny, ours]).indistinguishable(among: Self.anyOf.algorithms)
    #expect(unclear.map(\.algorithm) == [.rs256])
    #expect(unclear.first?.keyID == ours["kid"]?.string)
    // Two keys that say for different issuers are not the same key.
    let issuers = ["https://a.example.com", "https://b.example.com"].map { issuer in
      Fixture.with(ours) { $0["issuer"] = .string(issuer) }
    }
    #expect(refusal { try verify(issuers) } == .keyAmbiguous)
  }

  @Test(arguments: [.null, ""] as [JSONValue])
  func `a member of a key or header that is null or empty is absent`(value: JSONValue) throws {
    let key = try jwk(of: try Fixture.key) {
      for name in ["use", "alg", "key_ops", "x5c", "issuer"] { $0[name] = value }
    }
    _ = try verify([key])
    // A key without kid: only a token without kid means it.
    let unnamed = Fixture.with(key) { $0["kid"] = value }
    let token = try Fixture.token(header: { $0["kid"] = value })
    _ = try verify([unnamed], token)
    #expect(refusal { try verify([unnamed]) } == .keyUnknown)
    let other = try jwk(of: try Fixture.otherKey) { $0["kid"] = value }
    #expect(refusal { try verify([unnamed, other], token) } == .keyIDRequired)
    for name in ["kty", "n", "e"] {
      #expect(try keySet([Fixture.with(key) { $0[name] = value }]).keys.isEmpty)
    }
  }

  @Test func `a number with padding is the same number, and other texts are named`() throws {
    let ours = try jwk(of: try Fixture.key)
    let modulus = try #require(ours["n"]?.string)
    #expect(modulus.utf8.count == 342)
    _ = try verify([Fixture.with(ours) { $0["n"] = .string(modulus + "==") }])
    let kid = try #require(ours["kid"]?.string)
    for text in [modulus + "=", modulus + "===", modulus + " ", "+" + modulus.dropFirst(), "=="] {
      let set = try keySet([Fixture.with(ours) { $0["n"] = .string(text) }])
      #expect(set.refused.map(\.description) == ["key \(kid): n is not base64url"])
      let error = #expect(throws: TokenError.self) {
        try Fixture.verify(try Fixture.token(), keys: set)
      }
      #expect(error == TokenError(.keyRefused, received: ["key \(kid): n is not base64url"]))
    }
  }

  @Test func `a missing kid is accepted only if one key fits`() throws {
    let token = try Fixture.token(header: { $0["kid"] = nil })
    let ours = try jwk(of: try Fixture.key)
    let other = try jwk(of: try Fixture.otherKey)
    _ = try verify([ours], token)
    _ = try verify([ours, EllipticKey().jwk], token)
    #expect(refusal { try verify([ours, other], token) } == .keyIDRequired)
    #expect(refusal { try verify([EllipticKey().jwk], token) } == .keyUnknown)
  }

  @Test func `a key for encryption doesn't verify`() throws {
    let use = try jwk(of: try Fixture.key) { $0["use"] = "enc" }
    #expect(refusal { try verify([use]) } == .keyUse)
    let operations = try jwk(of: try Fixture.key) {
      $0["use"] = nil
      $0["key_ops"] = ["encrypt", "wrapKey"]
    }
    #expect(refusal { try verify([operations]) } == .keyUse)
    _ = try verify([Fixture.with(operations) { $0["key_ops"] = ["verify"] }])
  }

  @Test func `an EC key off its curve is refused`() throws {
    let key = Fixture.with(EllipticKey().jwk) {
      $0["y"] = .string(Base64URL.encode([UInt8](repeating: 1, count: 32)))
    }
    #expect(try keySet([key]).refused.map(\.reason) == [.malformed])
  }

  @Test func `unsupported kinds of keys are skipped`() throws {
    let jwks: [JSONObject] = [
      ["kty": "oct", "k": "c2VjcmV0", "kid": "a"], ["kty": "AKP", "kid": "b"],
      ["kty": "EC", "crv": "secp256k1", "kid": "c"], ["kty": "OKP", "crv": "X25519", "kid": "d"],
      ["kty": "O\u{212A}P", "crv": "Ed25519", "kid": "e"],
      ["kty": "RSA", "alg": "RSA-OAEP", "kid": "f"], try jwk(of: try Fixture.key),
    ]
    let set = try keySet(jwks)
    #expect(set.keys.count == 1)
    #expect(set.refused.isEmpty)
    _ = try verify(jwks)
  }

  @Test func `private members are ignored`() throws {
    _ = try verify([try jwk(of: try Fixture.key) { $0["d"] = "not even base64url ==" }])
  }
}
