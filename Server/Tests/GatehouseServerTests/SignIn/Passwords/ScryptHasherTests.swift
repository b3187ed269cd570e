import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ScryptHasherTests {
  @Test func `a hash contains its parameters and matches only its password`() async throws {
    let hasher = try World.hasher()
    let hash = try await hasher.hash(Secret("notasecret"))
    #expect(hash.parameters == "scrypt$ln=10,r=1,p=1")
    #expect(hash.salt.count == 16)
    #expect(hash.digest.count == 32)
    #expect(try await hasher.verify(Secret("notasecret"), against: hash))
    #expect(try await !hasher.verify(Secret("notasecreT"), against: hash))
    #expect(try await !hasher.verify(Secret(""), against: hash))
  }

  @Test func `two hashes of one password differ`() async throws {
    let hasher = try World.hasher()
    let first = try await hasher.hash(Secret("notasecret"))
    let second = try await hasher.hash(Secret("notasecret"))
    #expect(first.salt != second.salt)
    #expect(first.digest != second.digest)
  }

  /// RFC 7914 §12, the first 32 bytes of the third vector: scrypt computes its output block by
  /// block.
  @Test func `the hasher computes the scrypt of RFC 7914`() async throws {
    let hash = PasswordHash(
      parameters: "scrypt$ln=14,r=8,p=1", salt: Array("SodiumChloride".utf8),
      digest: [
        0x70, 0x23, 0xbd, 0xcb, 0x3a, 0xfd, 0x73, 0x48, 0x46, 0x1c, 0x06, 0xcd, 0x81, 0xfd, 0x38,
        0xeb, 0xfd, 0xa8, 0xfb, 0xba, 0x90, 0x4f, 0x8e, 0x3e, 0xa9, 0xb5, 0x43, 0xf6, 0x54, 0x5d,
        0xa1, 0xf2,
      ])
    #expect(try await World.hasher().verify(Secret("pleaseletmein"), against: hash))
  }

  @Test func `no password matches a missing hash`() async throws {
    #expect(try await !World.hasher().verify(Secret("notasecret"), against: nil))
  }

  @Test(arguments: [
    "", "scrypt", "scrypt$ln=9,r=1,p=1", "scrypt$ln=21,r=1,p=1", "scrypt$ln=10,r=0,p=1",
    "scrypt$ln=10,r=33,p=1", "scrypt$ln=10,r=1,p=17", "scrypt$ln=10,r=1,p=1 ", "bcrypt$10",
    "scrypt$ln=99999999999999999999,r=1,p=1", "scrypt$ln=-1,r=1,p=1",
    "scrypt$ln=\u{0661}\u{0660},r=1,p=1",
  ])
  func `no password matches a hash with invalid parameters`(parameters: String) async throws {
    let hasher = try World.hasher()
    var hash = try await hasher.hash(Secret("notasecret"))
    hash.parameters = parameters
    #expect(try await !hasher.verify(Secret("notasecret"), against: hash))
  }

  @Test func `parameters have bounds`() {
    typealias Parameters = ScryptHasher.Parameters
    #expect(Parameters(logCost: 10, blockSize: 1, parallelism: 1) != nil)
    #expect(Parameters(logCost: 9, blockSize: 8, parallelism: 1) == nil)
    #expect(Parameters(logCost: 21, blockSize: 8, parallelism: 1) == nil)
    #expect(Parameters(logCost: 15, blockSize: 0, parallelism: 1) == nil)
    #expect(Parameters(logCost: 15, blockSize: 33, parallelism: 1) == nil)
    #expect(Parameters(logCost: 15, blockSize: 8, parallelism: 17) == nil)
    #expect(Parameters(logCost: 18, blockSize: 8, parallelism: 1) != nil)
    #expect(Parameters(logCost: 18, blockSize: 9, parallelism: 1) == nil)
  }

  struct Costs: Sendable {
    /// log₂ of N, r, and p.
    let stored: [Int]
    let current: [Int]
    /// The p of the remainder.
    let missing: Int?
  }

  /// The time itself isn't measured. The cost of scrypt is N·r·p.
  @Test(arguments: [
    Costs(stored: [14, 8, 3], current: [15, 8, 3], missing: 3),
    Costs(stored: [15, 8, 1], current: [15, 8, 3], missing: 2),
    Costs(stored: [15, 4, 3], current: [15, 8, 3], missing: 3),
    Costs(stored: [10, 1, 1], current: [18, 8, 16], missing: 32_767),
    Costs(stored: [15, 8, 3], current: [15, 8, 3], missing: nil),
    Costs(stored: [16, 8, 3], current: [15, 8, 3], missing: nil),
  ])
  func `the remainder of a cheaper hash has the cost that it lacks`(_ costs: Costs) throws {
    func parameters(_ values: [Int]) throws -> ScryptHasher.Parameters {
      try #require(
        ScryptHasher.Parameters(
          logCost: values[0], blockSize: values[1], parallelism: values[2]))
    }
    let stored = try parameters(costs.stored)
    var expected: ScryptHasher.Parameters?
    if let missing = costs.missing {
      expected = stored
      expected?.parallelism = missing
    }
    #expect(try stored.remainder(to: parameters(costs.current)) == expected)
  }

  /// The first has the parameters of most Firebase projects.
  @Test(
    arguments: [
      (
        HashScheme.Algorithm.firebaseScrypt(logCost: 14, blockSize: 8, saltSeparator: [7]),
        [14, 8, 1], 5
      ),
      (.scrypt(cost: 1 << 15, blockSize: 8, parallelism: 1, length: 64), [15, 8, 1], 2),
      (.scrypt(cost: 1 << 17, blockSize: 8, parallelism: 1, length: 64), [17, 8, 1], nil),
      // These cost little, or it is unknown what they cost.
      (.scrypt(cost: 2, blockSize: 1, parallelism: 1, length: 64), nil, nil),
      (.digest(.md5, rounds: 1, .saltFirst), nil, nil), (.bcrypt, nil, nil),
    ] as [(HashScheme.Algorithm, [Int]?, Int?)])
  func `an imported hash of scrypt lacks only a part of the cost of a new hash`(
    _ algorithm: HashScheme.Algorithm, _ values: [Int]?, _ missing: Int?
  ) throws {
    let cost = algorithm.scryptCost
    let expected = try values.map {
      try #require(
        ScryptHasher.Parameters(logCost: $0[0], blockSize: $0[1], parallelism: $0[2]))
    }
    #expect(cost == expected)
    #expect(cost?.remainder(to: .standard)?.parallelism == missing)
  }

  @Test func `a hash of a lower cost still matches only its password`() async throws {
    let hash = try await World.hasher(10).hash(Secret("notasecret"))
    let hasher = try World.hasher(11)
    #expect(try await hasher.verify(Secret("notasecret"), against: hash))
    #expect(try await !hasher.verify(Secret("notasecreT"), against: hash))
  }

  @Test func `a hash is outdated if its parameters differ from the hasher's`() async throws {
    let hash = try await World.hasher(10).hash(Secret("notasecret"))
    #expect(try !World.hasher(10).isOutdated(hash))
    #expect(try World.hasher(11).isOutdated(hash))
  }

  @Test func `beyond the queue's limit the hasher is overloaded`() async throws {
    let hasher = try World.hasher(14, queueLimit: 3)
    let results = await atOnce(50) { _ in try await hasher.hash(Secret("notasecret")) }
    #expect(results.successes().count >= 3)
    let refusals: [AccountsError] = results.refusals()
    #expect(!refusals.isEmpty)
    #expect(refusals.allSatisfy { $0 == .overloaded })
    // It accepts more when the queue is empty.
    _ = try await hasher.hash(Secret("notasecret"))
  }

  @Test func `an overloaded server rejects a password sign-in as overloaded`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let accounts = try World.service(
        store: world.store, master: world.master, passwords: World.hasher(queueLimit: 0))
      for address in ["ann@example.com", "bob@example.com"] {
        await #expect(throws: AccountsError.overloaded) {
          try await accounts.signIn(
            email: try email(address), password: Secret("notasecret"), from: .unknown,
            in: world.project, now: world.now)
        }
      }
    }
  }
}
