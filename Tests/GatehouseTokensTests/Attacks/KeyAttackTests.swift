import GatehouseJSON
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
