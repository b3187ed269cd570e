package import GatehouseProtocol

/// How another system hashed its passwords: an algorithm, its parameters and its key if it has one.
///
/// The algorithms are those of Firebase's guide for imports
/// (<https://firebase.google.com/docs/auth/admin/import-users>). Each parameter is bounded: a
/// sign-in with such a password computes the hash again, so an import must not be able to slow the
/// server down. One hash takes at most about a second of one core and 256 MiB.
package struct HashScheme: Sendable {
  package let algorithm: Algorithm
  /// The signer key of Firebase's scrypt, or the key of an HMAC; nil for the other algorithms.
  package let key: Secret<[UInt8]>?

  package enum Algorithm: Hashable, Sendable {
    /// Firebase's own: scrypt with parallelization 1, whose result encrypts the signer key
    /// (<https://github.com/firebase/scrypt>).
    case firebaseScrypt(logCost: Int, blockSize: Int, saltSeparator: [UInt8])
    /// RFC 7914. `cost` is N, a power of two; `length` is the length of the hash in bytes.
    case scrypt(cost: Int, blockSize: Int, parallelism: Int, length: Int)
    /// RFC 8018 §5.2 with HMAC-SHA-1 or HMAC-SHA-256. The stored hash determines the length.
    case pbkdf2(Digest, rounds: Int)
    /// RFC 2104.
    case hmac(Digest, InputOrder)
    /// A digest of salt and password, then a digest of the result, and so on: `rounds` digests in all.
    /// For MD5, 0 rounds are one.
    ///
    /// Google's service has another form for MD5: the hash is the digest in hexadecimal, and each of
    /// `rounds` further digests is one of the result and the password. The length of the hash shows its form.
    case digest(Digest, rounds: Int, InputOrder)
    /// crypt(3), whose text contains the cost and the salt.
    case bcrypt
  }

  package enum Digest: String, Hashable, Sendable, CaseIterable {
    case md5, sha1, sha256, sha512

    package var byteCount: Int {
      switch self {
      case .md5: 16
      case .sha1: 20
      case .sha256: 32
      case .sha512: 64
      }
    }
  }

  /// The order in which salt and password are hashed.
  package enum InputOrder: Hashable, Sendable, CaseIterable {
    case saltFirst, passwordFirst
    /// The import didn't state the order. Google's service then puts the password first for an HMAC
    /// and the salt first for a digest, but its documentation says otherwise. So a check tries both
    /// orders. The first sign-in stores a hash of the server's own scheme.
    case unstated
  }

  /// - Throws: ``HashSchemeError`` for a parameter out of bounds, parameters that together cost too
  ///   much, a missing key, or PBKDF2 with a digest other than SHA-1 and SHA-256.
  package init(_ algorithm: Algorithm, key: Secret<[UInt8]>?) throws(HashSchemeError) {
    try algorithm.check()
    if algorithm.needsKey {
      guard let key, !key.reveal().isEmpty else { throw .missing(.key) }
      try Self.require(.key, key.reveal().count, in: 1...Bounds.keyBytes)
    }
    self.algorithm = algorithm
    self.key = algorithm.needsKey ? key : nil
  }
}

/// Why a scheme is rejected. `==` compares everything.
package enum HashSchemeError: Error, Hashable, Sendable {
  case missing(Parameter)
  case outOfBounds(Parameter, ClosedRange<Int>)
  case notPowerOfTwo(Parameter)
  /// Each parameter is within its bounds, but together they take too much time or memory.
  case tooCostly
  case unsupportedAlgorithm(String)

  package enum Parameter: Hashable, Sendable {
    case key, saltSeparator, rounds, memoryCost, cost, blockSize, parallelism, length, order
  }
}

extension HashScheme {
  /// The accepted values of each parameter.
  enum Bounds {
    static let keyBytes = 1024
    static let saltBytes = 256
    static let saltSeparatorBytes = 64
    /// Firebase's own bounds.
    static let firebaseLogCost = 1...14
    static let firebaseBlockSize = 1...8
    static let digestRounds = 1...8192
    static let md5Rounds = 0...8192
    /// Firebase accepts 120,000. Hashes of systems that follow OWASP's recommendation of 600,000
    /// and more are accepted too.
    static let pbkdf2Rounds = 1...1_500_000
    static let scryptCost = 2...(1 << 20)
    static let scryptBlockSize = 1...32
    static let scryptParallelism = 1...16
    /// In bytes. A wrong password could match a shorter hash by chance.
    static let derivedBytes = 16...64
    /// N·r, each worth 128 bytes: 256 MiB.
    static let scryptMemory = 1 << 21
    /// N·r·p: about ten times that of a hash with the server's standard parameters.
    static let scryptWork = 1 << 23
    /// Each step doubles the time; 14 takes about a second.
    static let bcryptCost = 4...14
  }

  fileprivate static func require(
    _ parameter: HashSchemeError.Parameter, _ value: Int, in bounds: ClosedRange<Int>
  ) throws(HashSchemeError) {
    if !bounds.contains(value) { throw .outOfBounds(parameter, bounds) }
  }
}

extension HashScheme.Algorithm {
  var needsKey: Bool {
    switch self {
    case .firebaseScrypt, .hmac: true
    case .scrypt, .pbkdf2, .digest, .bcrypt: false
    }
  }

  fileprivate func check() throws(HashSchemeError) {
    typealias Bounds = HashScheme.Bounds
    switch self {
    case .firebaseScrypt(let logCost, let blockSize, let separator):
      try HashScheme.require(.memoryCost, logCost, in: Bounds.firebaseLogCost)
      try HashScheme.require(.rounds, blockSize, in: Bounds.firebaseBlockSize)
      try HashScheme.require(.saltSeparator, separator.count, in: 0...Bounds.saltSeparatorBytes)
    case .scrypt(let cost, let blockSize, let parallelism, let length):
      try HashScheme.require(.cost, cost, in: Bounds.scryptCost)
      try HashScheme.require(.blockSize, blockSize, in: Bounds.scryptBlockSize)
      try HashScheme.require(.parallelism, parallelism, in: Bounds.scryptParallelism)
      try HashScheme.require(.length, length, in: Bounds.derivedBytes)
      guard cost & (cost - 1) == 0 else { throw .notPowerOfTwo(.cost) }
      // RFC 7914 §2: N is less than 2^(128·r/8).
      guard blockSize > 1 || cost < 1 << 16, cost * blockSize <= Bounds.scryptMemory,
        cost * blockSize * parallelism <= Bounds.scryptWork
      else { throw .tooCostly }
    case .pbkdf2(let digest, let rounds):
      guard digest == .sha1 || digest == .sha256 else {
        throw .unsupportedAlgorithm("PBKDF2 with \(digest.rawValue)")
      }
      try HashScheme.require(.rounds, rounds, in: Bounds.pbkdf2Rounds)
    case .digest(let digest, let rounds, _):
      try HashScheme.require(
        .rounds, rounds, in: digest == .md5 ? Bounds.md5Rounds : Bounds.digestRounds)
    case .hmac, .bcrypt: break
    }
  }
}
