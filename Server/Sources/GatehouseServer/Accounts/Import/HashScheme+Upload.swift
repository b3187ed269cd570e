import Foundation
import GatehouseProtocol
import GatehouseTokens

extension HashParameters {
  /// The scheme that the parameters name; nil if they name none.
  ///
  /// Parameters that the algorithm doesn't have are ignored, because Google's clients send them.
  ///
  /// - Throws: `HashSchemeError`.
  package func scheme() throws(HashSchemeError) -> HashScheme? {
    guard let algorithm else { return nil }
    return try HashScheme(named(algorithm.uppercased()), key: key())
  }

  /// The supported algorithms, under their names in the protocol.
  package static let supportedAlgorithms = [
    "BCRYPT", "HMAC_MD5", "HMAC_SHA1", "HMAC_SHA256", "HMAC_SHA512", "MD5", "PBKDF2_SHA256",
    "PBKDF_SHA1", "SCRYPT", "SHA1", "SHA256", "SHA512", "STANDARD_SCRYPT",
  ]

  private func named(_ name: String) throws(HashSchemeError) -> HashScheme.Algorithm {
    switch name {
    case "SCRYPT": return try firebaseScrypt()
    case "STANDARD_SCRYPT": return try scrypt()
    case "PBKDF_SHA1": return .pbkdf2(.sha1, rounds: try Self.number(rounds, .rounds))
    case "PBKDF2_SHA256": return .pbkdf2(.sha256, rounds: try Self.number(rounds, .rounds))
    case "BCRYPT": return .bcrypt
    default: break
    }
    let isKeyed = name.hasPrefix("HMAC_")
    guard
      let digest = HashScheme.Digest(rawValue: name.dropFirst(isKeyed ? 5 : 0).lowercased())
    else { throw .unsupportedAlgorithm(name) }
    if isKeyed { return .hmac(digest, try order()) }
    return .digest(digest, rounds: try Self.number(rounds, .rounds), try order())
  }

  private func firebaseScrypt() throws(HashSchemeError) -> HashScheme.Algorithm {
    guard let separator = AnyBase64.decode(saltSeparator ?? "") else {
      throw .missing(.saltSeparator)
    }
    return .firebaseScrypt(
      logCost: try Self.number(memoryCost, .memoryCost),
      blockSize: try Self.number(rounds, .rounds), saltSeparator: separator)
  }

  private func scrypt() throws(HashSchemeError) -> HashScheme.Algorithm {
    .scrypt(
      cost: try Self.number(cpuMemCost, .cost), blockSize: try Self.number(blockSize, .blockSize),
      parallelism: try Self.number(parallelization, .parallelism),
      length: try Self.number(dkLen, .length))
  }

  private func order() throws(HashSchemeError) -> HashScheme.InputOrder {
    guard let order = passwordHashOrder, !order.names("UNSPECIFIED_ORDER", 0) else {
      return .unstated
    }
    if order.names("SALT_AND_PASSWORD", 1) { return .saltFirst }
    guard order.names("PASSWORD_AND_SALT", 2) else { throw .missing(.order) }
    return .passwordFirst
  }

  private func key() throws(HashSchemeError) -> Secret<[UInt8]>? {
    guard let signerKey else { return nil }
    guard let bytes = AnyBase64.decode(signerKey) else { throw .missing(.key) }
    return Secret(bytes)
  }

  /// Doesn't check the range: the scheme does.
  private static func number(
    _ value: Int64?, _ parameter: HashSchemeError.Parameter
  ) throws(HashSchemeError) -> Int {
    guard let value else { throw .missing(parameter) }
    return Int(clamping: value)
  }
}

extension HashParameters {
  /// The parameters for the scheme.
  package init(_ scheme: HashScheme) {
    self.init()
    signerKey = scheme.key.map { Data($0.reveal()).base64EncodedString() }
    switch scheme.algorithm {
    case .firebaseScrypt(let logCost, let blockSize, let separator):
      algorithm = "SCRYPT"
      memoryCost = Int64(logCost)
      rounds = Int64(blockSize)
      saltSeparator = Data(separator).base64EncodedString()
    case .scrypt(let cost, let blockSize, let parallelism, let length):
      algorithm = "STANDARD_SCRYPT"
      cpuMemCost = Int64(cost)
      self.blockSize = Int64(blockSize)
      parallelization = Int64(parallelism)
      dkLen = Int64(length)
    case .pbkdf2(let digest, let rounds):
      algorithm = digest == .sha1 ? "PBKDF_SHA1" : "PBKDF2_SHA256"
      self.rounds = Int64(rounds)
    case .hmac(let digest, let order):
      algorithm = "HMAC_\(digest.rawValue.uppercased())"
      passwordHashOrder = Self.name(of: order)
    case .digest(let digest, let rounds, let order):
      algorithm = digest.rawValue.uppercased()
      self.rounds = Int64(rounds)
      passwordHashOrder = Self.name(of: order)
    case .bcrypt: algorithm = "BCRYPT"
    }
  }

  private static func name(of order: HashScheme.InputOrder) -> WireEnumerator? {
    switch order {
    case .saltFirst: .name("SALT_AND_PASSWORD")
    case .passwordFirst: .name("PASSWORD_AND_SALT")
    case .unstated: nil
    }
  }
}

extension HashSchemeError: APIErrorConvertible {
  /// Google's code for the error, without detail: Google's clients compare the whole message.
  /// ``message`` names the parameter and its valid values, for commands.
  var apiError: APIError { .refused(code) }

  private var code: ErrorCode {
    switch self {
    case .unsupportedAlgorithm: .invalidHashAlgorithm
    case .notPowerOfTwo, .tooCostly: .invalidHashParameter
    case .missing(let parameter), .outOfBounds(let parameter, _):
      switch parameter {
      case .key: .emptyHashKey
      case .saltSeparator: .invalidHashSaltSeparator
      case .rounds: .invalidHashRounds
      case .memoryCost: .invalidHashMemoryCosts
      case .cost, .blockSize, .parallelism, .length, .order: .invalidHashParameter
      }
    }
  }

  /// The message of a command.
  package var message: String { detailed.message }

  private var detailed: APIError {
    switch self {
    case .missing(let parameter):
      .refused(.invalidHashParameters, "\(parameter.name) is missing or can't be read.")
    case .outOfBounds(let parameter, let bounds):
      .refused(
        .invalidHashParameters,
        "\(parameter.name) has to be between \(bounds.lowerBound) and "
          + "\(bounds.upperBound).")
    case .notPowerOfTwo(let parameter):
      .refused(.invalidHashParameters, "\(parameter.name) has to be a power of two.")
    case .tooCostly:
      .refused(
        .invalidHashParameters,
        "cpuMemCost, blockSize and parallelization together cost more than "
          + "is allowed for a sign-in.")
    case .unsupportedAlgorithm(let name):
      .refused(
        .invalidHashAlgorithm,
        "\(name.prefix(32)) isn't supported. Supported are: "
          + "\(HashParameters.supportedAlgorithms.joined(separator: ", ")).")
    }
  }
}

extension HashSchemeError.Parameter {
  fileprivate var name: String {
    switch self {
    case .key: "signerKey (in bytes)"
    case .saltSeparator: "saltSeparator (in bytes)"
    case .rounds: "rounds"
    case .memoryCost: "memoryCost"
    case .cost: "cpuMemCost"
    case .blockSize: "blockSize"
    case .parallelism: "parallelization"
    case .length: "dkLen"
    case .order: "passwordHashOrder"
    }
  }
}
