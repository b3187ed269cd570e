import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Published test vectors. Each is imported as an account, whose password then signs in.
@Suite struct HashSchemeTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let source: String
    let algorithm: HashScheme.Algorithm
    var key: [UInt8]?
    var salt: [UInt8] = []
    let password: String
    let digest: [UInt8]

    var testDescription: String { source }

    func scheme() throws -> HashScheme {
      try HashScheme(algorithm, key: key.map { Secret($0) })
    }
  }

  static let vectors: [Vector] = [
    Vector(
      source: "firebase/scrypt, README",
      algorithm: .firebaseScrypt(logCost: 14, blockSize: 8, saltSeparator: [7]),
      key: hex(
        "8f1b29afc2a2d1163271553ccf291b74b1a3150dcc705507d2e8a24ef0bca553"
          + "17027db5d308cb366759273c5410229b9b442c126614483cd9be98de27d5a65c"),
      salt: hex("e36c440be8b17f72f697"),
      password: "user1password",
      digest: hex(
        "952adf575e5ca71f79fec652d96f5cf4aa7a8bf2d5810343342feaceb0a78754"
          + "80c99bea999a808d3767ddaa08b73f951e3a198a5a3bf35f7c240751ba277995")),
    Vector(
      source: "RFC 7914 section 12, the second",
      algorithm: .scrypt(cost: 1024, blockSize: 8, parallelism: 16, length: 64),
      salt: Array("NaCl".utf8),
      password: "password",
      digest: hex(
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")),
    Vector(
      source: "RFC 7914 section 11, the first",
      algorithm: .pbkdf2(.sha256, rounds: 1),
      salt: Array("salt".utf8),
      password: "passwd",
      digest: hex(
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
          + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")),
    Vector(
      source: "RFC 7914 section 11, the second",
      algorithm: .pbkdf2(.sha256, rounds: 80_000),
      salt: Array("NaCl".utf8),
      password: "Password",
      digest: hex(
        "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
          + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d")),
    Vector(
      source: "RFC 6070, the third",
      algorithm: .pbkdf2(.sha1, rounds: 4096),
      salt: Array("salt".utf8),
      password: "password",
      digest: hex("4b007901b765489abead49d926f721d065a429c1")),
    Vector(
      source: "RFC 2202, the second of md5",
      algorithm: .hmac(.md5, .saltFirst),
      key: Array("Jefe".utf8),
      salt: Array("what do ya want ".utf8),
      password: "for nothing?",
      digest: hex("750c783e6ab0b503eaa86e310a5db738")),
    Vector(
      source: "RFC 2202, the second of sha1",
      algorithm: .hmac(.sha1, .saltFirst),
      key: Array("Jefe".utf8),
      salt: Array("what do ya want ".utf8),
      password: "for nothing?",
      digest: hex("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")),
    Vector(
      source: "RFC 4231 section 4.3, sha256",
      algorithm: .hmac(.sha256, .saltFirst),
      key: Array("Jefe".utf8),
      salt: Array("what do ya want ".utf8),
      password: "for nothing?",
      digest: hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")),
    Vector(
      source: "RFC 4231 section 4.3, sha512",
      algorithm: .hmac(.sha512, .saltFirst),
      key: Array("Jefe".utf8),
      salt: Array("what do ya want ".utf8),
      password: "for nothing?",
      digest: hex(
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
          + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")),
    Vector(
      source: "RFC 4231 section 4.3, the password first",
      algorithm: .hmac(.sha256, .passwordFirst),
      key: Array("Jefe".utf8),
      salt: Array("for nothing?".utf8),
      password: "what do ya want ",
      digest: hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")),
    Vector(
      source: "RFC 1321 A.5",
      algorithm: .digest(.md5, rounds: 1, .saltFirst),
      salt: Array("a".utf8),
      password: "bc",
      digest: hex("900150983cd24fb0d6963f7d28e17f72")),
    Vector(
      source: "RFC 1321 A.5, as Google's service stores it",
      algorithm: .digest(.md5, rounds: 0, .saltFirst),
      salt: Array("a".utf8),
      password: "bc",
      digest: Array("900150983CD24FB0d6963f7d28e17f72".utf8)),
    Vector(
      source: "Python's hashlib, two further digests of the result and the password",
      algorithm: .digest(.md5, rounds: 2, .unstated),
      salt: Array("NaCl for tests".utf8),
      password: "correct horse",
      digest: Array("b92ddaf92eb13757a23604c04027273d".utf8)),
    Vector(
      source: "FIPS 180, abc, sha1",
      algorithm: .digest(.sha1, rounds: 1, .saltFirst),
      salt: Array("a".utf8),
      password: "bc",
      digest: hex("a9993e364706816aba3e25717850c26c9cd0d89d")),
    Vector(
      source: "FIPS 180, abc, sha256",
      algorithm: .digest(.sha256, rounds: 1, .saltFirst),
      salt: Array("a".utf8),
      password: "bc",
      digest: hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")),
    Vector(
      source: "FIPS 180, abc, sha512",
      algorithm: .digest(.sha512, rounds: 1, .saltFirst),
      salt: Array("a".utf8),
      password: "bc",
      digest: hex(
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")),
    Vector(
      source: "FIPS 180, abc, the password first",
      algorithm: .digest(.sha256, rounds: 1, .passwordFirst),
      salt: Array("c".utf8),
      password: "ab",
      digest: hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")),
    Vector(
      source: "Python's hashlib, three rounds of abc",
      algorithm: .digest(.sha256, rounds: 3, .saltFirst),
      salt: Array("a".utf8),
      password: "bc",
      digest: hex("f2a778f1a6ed3d5bc59a5d79104c598f3f07093f240ca4e91333fb09ed4f36da")),
    Vector(
      source: "Openwall's crypt_blowfish, U*U",
      algorithm: .bcrypt,
      password: "U*U",
      digest: Array("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW".utf8)),
    Vector(
      source: "Openwall's crypt_blowfish, U*U*U",
      algorithm: .bcrypt,
      password: "U*U*U",
      digest: Array("$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a".utf8)),
    Vector(
      source: "Openwall's crypt_blowfish, U*U*",
      algorithm: .bcrypt,
      password: "U*U*",
      digest: Array("$2b$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK".utf8)),
  ]

  private static func hex(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap {
      UInt8(text.dropFirst($0).prefix(2), radix: 16)
    }
  }

  @Test(arguments: vectors) func `a published password signs in, twice`(
    _ vector: Vector
  ) async throws {
    try await withImportWorld { world in
      let account = try imported("ann") {
        $0.password = ImportedPassword(digest: vector.digest, salt: vector.salt)
      }
      let outcome = try await world.importAccounts([account], try vector.scheme())
      #expect(outcome.imported == 1 && outcome.refusals.isEmpty)
      let before = try #require(try await world.world.stored(account.uid).password)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", vector.password + "x")
      }
      #expect(try await world.world.stored(account.uid).password == before)
      _ = try await world.signIn("ann@example.com", vector.password)
      // Hashed again with the server's own scrypt, in the transaction of the sign-in.
      let after = try #require(try await world.world.stored(account.uid).password)
      #expect(after.parameters == "scrypt$ln=10,r=1,p=1")
      _ = try await world.signIn("ann@example.com", vector.password)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", vector.password + "x")
      }
    }
  }

  @Test func `the database contains a key once, encrypted`() async throws {
    let key = Array("not to be seen in the file".utf8)
    try await withImportWorld { world in
      let scheme = try HashScheme(.hmac(.sha256, .saltFirst), key: Secret(key))
      for name in ["ann", "bob"] {
        let account = try imported(name) {
          $0.password = ImportedPassword(digest: Array(repeating: 1, count: 32), salt: [])
        }
        _ = try await world.importAccounts([account], scheme)
      }
      let project = world.world.project.id
      let keys = try await world.world.store.read { try $0.passwordKeys(of: project) }
      #expect(keys.map { $0.key.reveal() } == [key])
      let ann = try await world.world.stored(try uid("ann")).password
      #expect(ann?.parameters == "hmac$h=sha256,o=salt+password,k=\(try #require(keys.first).id)")
    }
  }

  static let refusals: [(HashScheme.Algorithm, [UInt8]?, HashSchemeError)] = [
    (.hmac(.sha256, .saltFirst), nil, .missing(.key)),
    (.hmac(.sha256, .saltFirst), [], .missing(.key)),
    (.hmac(.sha256, .saltFirst), Array(repeating: 1, count: 1025), .outOfBounds(.key, 1...1024)),
    (
      .firebaseScrypt(logCost: 15, blockSize: 8, saltSeparator: []), [1],
      .outOfBounds(.memoryCost, 1...14)
    ),
    (
      .firebaseScrypt(logCost: 14, blockSize: 9, saltSeparator: []), [1],
      .outOfBounds(.rounds, 1...8)
    ),
    (
      .firebaseScrypt(logCost: 14, blockSize: 8, saltSeparator: Array(repeating: 1, count: 65)),
      [1],
      .outOfBounds(.saltSeparator, 0...64)
    ),
    (.digest(.sha256, rounds: 0, .saltFirst), nil, .outOfBounds(.rounds, 1...8192)),
    (.digest(.md5, rounds: 8193, .saltFirst), nil, .outOfBounds(.rounds, 0...8192)),
    (.pbkdf2(.sha256, rounds: 0), nil, .outOfBounds(.rounds, 1...1_500_000)),
    (.pbkdf2(.sha1, rounds: .max), nil, .outOfBounds(.rounds, 1...1_500_000)),
    (.pbkdf2(.md5, rounds: 1), nil, .unsupportedAlgorithm("PBKDF2 with md5")),
    (
      .scrypt(cost: 1000, blockSize: 8, parallelism: 1, length: 64), nil, .notPowerOfTwo(.cost)
    ),
    (
      .scrypt(cost: .max, blockSize: 8, parallelism: 1, length: 64), nil,
      .outOfBounds(.cost, 2...(1 << 20))
    ),
    (
      .scrypt(cost: 1024, blockSize: 33, parallelism: 1, length: 64), nil,
      .outOfBounds(.blockSize, 1...32)
    ),
    (
      .scrypt(cost: 1024, blockSize: 8, parallelism: 0, length: 64), nil,
      .outOfBounds(.parallelism, 1...16)
    ),
    (
      .scrypt(cost: 1024, blockSize: 8, parallelism: 1, length: 15), nil,
      .outOfBounds(.length, 16...64)
    ),
    // 512 MiB; twice the allowed work; an N that RFC 7914 doesn't allow for this r.
    (.scrypt(cost: 1 << 19, blockSize: 8, parallelism: 1, length: 64), nil, .tooCostly),
    (.scrypt(cost: 1 << 17, blockSize: 8, parallelism: 16, length: 64), nil, .tooCostly),
    (.scrypt(cost: 1 << 16, blockSize: 1, parallelism: 1, length: 64), nil, .tooCostly),
  ]

  @Test(arguments: refusals) func `a parameter out of its bounds is rejected`(
    algorithm: HashScheme.Algorithm, key: [UInt8]?, error: HashSchemeError
  ) {
    #expect(throws: error) { try HashScheme(algorithm, key: key.map { Secret($0) }) }
  }

  @Test func `the most expensive allowed scheme is accepted`() async throws {
    try await withImportWorld { world in
      let scheme = try HashScheme(
        .scrypt(cost: 1 << 18, blockSize: 8, parallelism: 1, length: 16), key: nil)
      let account = try imported("ann") {
        $0.password = ImportedPassword(digest: Array(repeating: 1, count: 16), salt: [])
      }
      #expect(try await world.importAccounts([account], scheme).imported == 1)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", "a wrong password")
      }
    }
  }

  static let unfit: [(HashScheme.Algorithm, [UInt8]?, Int)] = [
    (.hmac(.sha256, .saltFirst), [1], 31), (.digest(.md5, rounds: 1, .saltFirst), nil, 17),
    (.digest(.md5, rounds: 1, .saltFirst), nil, 32),
    (.scrypt(cost: 1024, blockSize: 8, parallelism: 1, length: 32), nil, 64),
    (.firebaseScrypt(logCost: 14, blockSize: 8, saltSeparator: []), [1, 2, 3], 4),
    (.pbkdf2(.sha256, rounds: 1), nil, 15), (.pbkdf2(.sha256, rounds: 1), nil, 65),
    // Two blocks of SHA-256 would cost twice the rounds.
    (.pbkdf2(.sha256, rounds: 1_000_000), nil, 33), (.bcrypt, nil, 60),
  ]

  @Test(arguments: unfit) func `a hash that the scheme can't have produced is rejected`(
    algorithm: HashScheme.Algorithm, key: [UInt8]?, count: Int
  ) async throws {
    try await withImportWorld { world in
      let account = try imported("ann") {
        $0.password = ImportedPassword(digest: Array(repeating: 1, count: count), salt: [])
      }
      let outcome = try await world.importAccounts(
        [account], try HashScheme(algorithm, key: key.map { Secret($0) }))
      #expect(outcome.refusals.map(\.refusal) == [.passwordHash])
    }
  }

  @Test(arguments: [
    "$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    "$2a$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    "$2a$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe",
    "$6$rounds=9$CCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJK",
  ])
  func `a crypt(3) hash that isn't bcrypt, or is too costly, is rejected`(text: String) async throws
  {
    try await withImportWorld { world in
      let account = try imported("ann") {
        $0.password = ImportedPassword(digest: Array(text.utf8), salt: [])
      }
      let outcome = try await world.importAccounts([account], try HashScheme(.bcrypt, key: nil))
      #expect(outcome.refusals.map(\.refusal) == [.passwordHash])
    }
  }

  @Test func `bcrypt doesn't cut a password at a NUL`() async throws {
    try await withImportWorld { world in
      let text = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
      let account = try imported("ann") {
        $0.password = ImportedPassword(digest: Array(text.utf8), salt: [])
      }
      _ = try await world.importAccounts([account], try HashScheme(.bcrypt, key: nil))
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", "U*U\u{0}more")
      }
      _ = try await world.signIn("ann@example.com", "U*U")
    }
  }
}
