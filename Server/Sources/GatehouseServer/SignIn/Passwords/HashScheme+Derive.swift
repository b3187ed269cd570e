import Crypto
import CryptoExtras
import Foundation
import GatehouseProtocol

/// Computes bcrypt with crypt(3) of the system's libcrypt: swift-crypto and Foundation don't have
/// bcrypt.
package protocol BcryptComputing: Sendable {
  /// The complete hash `$2b$…` of the password with the setting's cost and salt; nil if the setting
  /// isn't valid.
  ///
  /// - Parameter setting: A hash from which cost and salt are taken. Checked by the caller.
  func bcrypt(_ password: [UInt8], setting: [UInt8]) -> [UInt8]?
}

extension HashScheme {
  /// Whether `password` has this hash. Slow: run it on ``HashingWorkers``.
  func matches(
    _ password: Secret<String>, salt: [UInt8], digest: [UInt8],
    bcrypt: any BcryptComputing
  ) throws -> Bool {
    let password = Array(password.reveal().utf8)
    let key = key?.reveal() ?? []
    let hexadecimal = Self.md5(ofHexadecimal: digest)
    // More than one if the order of salt and password is unknown.
    let candidates: [[UInt8]] =
      switch algorithm {
      case .firebaseScrypt(let logCost, let blockSize, let separator):
        [try firebaseScrypt(password, salt + separator, logCost: logCost, blockSize: blockSize)]
      case .scrypt(let cost, let blockSize, let parallelism, let length):
        [
          try Self.bytes(
            KDF.Scrypt.deriveKey(
              from: password, salt: salt, outputByteCount: length, rounds: cost,
              blockSize: blockSize, parallelism: parallelism))
        ]
      case .pbkdf2(let function, let rounds):
        [
          try Self.bytes(
            KDF.Insecure.PBKDF2.deriveKey(
              from: password, salt: salt, using: function == .sha1 ? .insecureSHA1 : .sha256,
              outputByteCount: digest.count, unsafeUncheckedRounds: rounds))
        ]
      case .hmac(let function, let order):
        order.possible.map { function.authentication(of: $0.input(password, salt), key: key) }
      case .digest(.md5, let rounds, let order) where hexadecimal != nil:
        order.possible.map {
          Self.googlesMD5($0.input(password, salt), password, rounds: rounds)
        }
      case .digest(let function, let rounds, let order):
        order.possible.map { function.hash($0.input(password, salt), rounds: rounds) }
      case .bcrypt:
        // crypt(3) takes a C string: it would ignore everything after a NUL in the password.
        password.contains(0) ? [] : [bcrypt.bcrypt(password, setting: digest)].compactMap(\.self)
      }
    let stored = if case .digest(.md5, _, _) = algorithm { hexadecimal ?? digest } else { digest }
    return candidates.map { constantTimeEquals($0, stored) }.contains(true)
  }

  /// <https://github.com/firebase/scrypt>: the signer key, encrypted by AES-256 in counter mode. The
  /// AES key is the first half of the password's scrypt output, and the counter begins at zero.
  private func firebaseScrypt(
    _ password: [UInt8], _ salt: [UInt8], logCost: Int, blockSize: Int
  ) throws -> [UInt8] {
    let derived = try Self.bytes(
      KDF.Scrypt.deriveKey(
        from: password, salt: salt, outputByteCount: 64, rounds: 1 << logCost,
        blockSize: blockSize, parallelism: 1))
    let nonce = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
    return try Array(
      AES._CTR.encrypt(
        key?.reveal() ?? [], using: SymmetricKey(data: derived.prefix(32)), nonce: nonce))
  }

  /// The MD5 of Google's service: see ``Algorithm/digest(_:rounds:_:)``.
  private static func googlesMD5(
    _ input: [UInt8], _ password: [UInt8], rounds: Int
  ) -> [UInt8] {
    (0..<rounds).reduce(Digest.md5.hash(input)) { made, _ in Digest.md5.hash(made + password) }
  }

  private static func bytes(_ key: SymmetricKey) -> [UInt8] {
    unsafe key.withUnsafeBytes { unsafe Array($0) }
  }
}

extension HashScheme.InputOrder {
  /// The orders in which salt and password may have been joined.
  fileprivate var possible: [Self] {
    self == .unstated ? [.saltFirst, .passwordFirst] : [self]
  }

  fileprivate func input(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8] {
    switch self {
    case .saltFirst, .unstated: salt + password
    case .passwordFirst: password + salt
    }
  }
}

extension HashScheme.Digest {
  fileprivate func hash(_ bytes: [UInt8], rounds: Int) -> [UInt8] {
    (1..<max(rounds, 1)).reduce(hash(bytes)) { made, _ in hash(made) }
  }

  fileprivate func hash(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .md5: Array(Insecure.MD5.hash(data: bytes))
    case .sha1: Array(Insecure.SHA1.hash(data: bytes))
    case .sha256: Array(SHA256.hash(data: bytes))
    case .sha512: Array(SHA512.hash(data: bytes))
    }
  }

  fileprivate func authentication(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: key)
    return switch self {
    case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: bytes, using: key))
    case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: key))
    case .sha256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    case .sha512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
    }
  }
}
