import CryptoExtras
import Foundation
package import GatehouseProtocol

/// Creates and checks password hashes. Doesn't use the threads that handle requests.
package protocol PasswordHashing: Sendable {
  /// - Throws: ``AccountsError/overloaded`` if too many are waiting.
  func hash(_ password: Secret<String>) async throws -> PasswordHash

  /// Whether `password` has the hash `hash`. Without a hash the same work is done and the result is
  /// false, so that an unknown address takes as long as a wrong password.
  ///
  /// - Throws: ``AccountsError/overloaded`` if too many are waiting.
  func verify(_ password: Secret<String>, against hash: PasswordHash?) async throws -> Bool

  /// Whether the hash has other parameters than new hashes.
  func isOutdated(_ hash: PasswordHash) -> Bool
}

/// scrypt (RFC 7914) on a fixed number of threads. Also checks hashes from other systems, until the
/// first sign-in replaces them.
package struct ScryptHasher: PasswordHashing {
  private let parameters: Parameters
  private let workers: HashingWorkers
  private let imported: ImportedPasswords?

  /// The cost of a new hash. It is stored with each hash, so old hashes stay valid after a change;
  /// the next sign-in replaces them.
  package struct Parameters: Hashable, Sendable {
    /// log₂ of the cost N, 10…20.
    package var logCost: Int
    /// The block size r, 1…32.
    package var blockSize: Int
    /// The parallelization p, 1…16.
    package var parallelism: Int

    /// The memory that one hash may use, 128·N·r: 256 MiB.
    private static let maximumBytes = 256 << 20

    /// Returns nil if a parameter is out of its range, or if they take too much memory together.
    package init?(logCost: Int, blockSize: Int, parallelism: Int) {
      guard (10...20).contains(logCost), (1...32).contains(blockSize),
        (1...16).contains(parallelism),
        128 * blockSize << logCost <= Self.maximumBytes
      else { return nil }
      self.logCost = logCost
      self.blockSize = blockSize
      self.parallelism = parallelism
    }

    private init(known logCost: Int, _ parallelism: Int) {
      self.logCost = logCost
      blockSize = 8
      self.parallelism = parallelism
    }

    /// 32 MiB and parallelization 3: one of OWASP's equivalent minimums (Password Storage Cheat
    /// Sheet).
    package static let standard = Parameters(known: 15, 3)
    /// For `--dev`, where passwords protect nothing and tests need thousands of them.
    package static let development = Parameters(known: 10, 1)

    /// The parameters of a hash whose cost is the difference between the cost of a hash with `current` and
    /// that of a hash with these parameters. Nil if a hash with `current` doesn't cost more.
    ///
    /// The cost is N·r·p. The result differs from these parameters only in p.
    package func remainder(to current: Parameters) -> Parameters? {
      let lanes =
        (current.blockSize * current.parallelism << current.logCost)
        / (blockSize << logCost)
      guard lanes > parallelism else { return nil }
      var remainder = self
      remainder.parallelism = lanes - parallelism
      return remainder
    }

    var text: String { "scrypt$ln=\(logCost),r=\(blockSize),p=\(parallelism)" }

    init?(_ text: String) {
      guard let match = text.wholeMatch(of: /scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})/),
        let logCost = Int(match.1), let blockSize = Int(match.2), let parallelism = Int(match.3)
      else { return nil }
      self.init(logCost: logCost, blockSize: blockSize, parallelism: parallelism)
    }
  }

  /// - Parameter imported: Nil: hashes from other systems match no password.
  package init(
    _ parameters: Parameters, threads: Int, queueLimit: Int = 64,
    imported: ImportedPasswords? = nil
  ) {
    self.parameters = parameters
    workers = HashingWorkers(threads: threads, limit: queueLimit)
    self.imported = imported
  }

  package func hash(_ password: Secret<String>) async throws -> PasswordHash {
    var generator = SystemRandomNumberGenerator()
    let salt = generator.bytes(16)
    let parameters = parameters
    let digest = try await workers.run { try Self.derive(password, salt, parameters) }
    return PasswordHash(parameters: parameters.text, salt: salt, digest: digest)
  }

  package func verify(
    _ password: Secret<String>, against hash: PasswordHash?
  ) async throws -> Bool {
    let parameters = parameters
    guard let hash, let stored = Parameters(hash.parameters) else {
      let check = if let hash { try await imported?.check(of: hash) } else { nil as ImportedCheck? }
      return try await workers.run {
        if let check, try check.matches(password) { return true }
        // A wrong password must take as long as one for an unknown address. The check of an imported hash of
        // scrypt, such as Firebase's, has taken a part of this time. Other hashes are fast to compute, except
        // those of bcrypt and PBKDF2 with a high cost: for these a wrong password takes longer.
        var missing: Parameters? = parameters
        if let cost = check?.cost { missing = cost.remainder(to: parameters) }
        if let missing { _ = try Self.derive(password, Self.noSalt, missing) }
        return false
      }
    }
    return try await workers.run {
      let digest = try Self.derive(password, hash.salt, stored)
      if constantTimeEquals(digest, hash.digest) { return true }
      // The hash may be from before the cost was raised. A wrong password for it must take as long as one
      // for an unknown address.
      if let remainder = stored.remainder(to: parameters) {
        _ = try Self.derive(password, Self.noSalt, remainder)
      }
      return false
    }
  }

  /// The salt of hashes that are computed only to take time.
  private static let noSalt = [UInt8](repeating: 0, count: 16)

  package func isOutdated(_ hash: PasswordHash) -> Bool {
    !hash.parameters.hasSameBytes(as: parameters.text)
  }

  private static func derive(
    _ password: Secret<String>, _ salt: [UInt8], _ parameters: Parameters
  ) throws -> [UInt8] {
    let key = try KDF.Scrypt.deriveKey(
      from: Data(password.reveal().utf8), salt: Data(salt), outputByteCount: 32,
      rounds: 1 << parameters.logCost, blockSize: parameters.blockSize,
      parallelism: parameters.parallelism)
    return unsafe key.withUnsafeBytes { unsafe Array($0) }
  }
}
