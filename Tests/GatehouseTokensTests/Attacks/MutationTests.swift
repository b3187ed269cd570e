import GatehouseProtocol
import GatehouseTokens
import Testing

/// Randomly changed tokens: nothing traps, and no changed token is accepted.
@Suite struct MutationTests {
  @Test(arguments: 0..<8)
  func `a token that differs in any byte is refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let token = Array(try Fixture.token().utf8)
    let keys = try Fixture.keys
    for _ in 0..<500 {
      let changed = mutated(token, using: &generator)
      guard changed != token else { continue }
      #expect(throws: TokenError.self) {
        try TokenVerifier(policy: Fixture.policy).verify(
          try UnverifiedToken(changed), keys: keys, now: Fixture.now)
      }
      let explanation = TokenExplanation(
        of: String(decoding: changed, as: UTF8.self), keys: keys, policy: Fixture.policy,
        now: Fixture.now)
      #expect(!explanation.holds)
    }
  }

  @Test(arguments: 0..<8)
  func `a header and payload of any bytes are refused or read`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let header = try Fixture.header.serialized()
    let payload = Fixture.claims.serialized()
    for _ in 0..<500 {
      let token =
        Base64URL.encode(mutated(header, using: &generator)) + "."
        + Base64URL.encode(mutated(payload, using: &generator)) + ".AAAA"
      if let parsed = try? UnverifiedToken(token) {
        #expect(refusal { try Fixture.verify(token) } != nil, "\(parsed.header)")
      }
    }
  }

  @Test(arguments: 0..<8)
  func `a key set of any bytes is refused or read`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let document = PublicJWK.keySet([try Fixture.key.publicJWK()])
    for _ in 0..<300 { _ = try? KeySet(jwks: mutated(document, using: &generator)) }
  }

  /// A few bytes changed, inserted, removed or repeated.
  private func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
      let place = bytes.indices.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
      }
    }
    return bytes
  }
}

/// SplitMix64: the same numbers for the same seed on every platform.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
