import ArgumentParser
import GatehouseAccounts
import GatehouseModel
import GatehouseUserFiles
import GatehouseWire

/// Flags that say how the passwords of a file were hashed.
struct HashOptions: ParsableArguments {
  @Option(
    help: """
      A file with the "Password hash parameters" of Firebase's console, or one that \
      `gatehouse export` wrote.
      """)
  var hashConfig: String?

  @Option(
    name: [.long, .customLong("hash-algo")],
    help: "SCRYPT, BCRYPT, PBKDF2_SHA256, … in place of --hash-config.")
  var hashAlgorithm: String?

  @Option(help: "A file with the signer key or HMAC key, in base64.")
  var hashKeyFile: String?

  @Option(help: "The key itself. It shows in the process list: rather give a file.")
  var hashKey: String?

  @Option(help: "In base64; SCRYPT's.")
  var saltSeparator: String?

  @Option(help: "How often it is hashed; SCRYPT's block size.")
  var rounds: Int64?

  @Option(help: "SCRYPT's, a power of two's exponent; STANDARD_SCRYPT's N.")
  var memCost: Int64?

  @Option(help: "STANDARD_SCRYPT's p.")
  var parallelization: Int64?

  @Option(help: "STANDARD_SCRYPT's r.")
  var blockSize: Int64?

  @Option(help: "STANDARD_SCRYPT's length in bytes.")
  var dkLen: Int64?

  @Option(help: "SALT_FIRST or PASSWORD_FIRST, of HMACs and digests.")
  var hashInputOrder: String?

  /// - Throws: ``CommandFailure`` with what is wrong; nil where nothing is said.
  func scheme() throws -> HashScheme? {
    let parameters = try hashConfig.map(Self.read) ?? flags()
    do {
      return try parameters.scheme()
    } catch {
      throw CommandFailure("\(hashConfig ?? "the password hash's flags"): \(error.message.text)")
    }
  }

  func validate() throws {
    if hashConfig != nil && hashAlgorithm != nil {
      throw ValidationError("give either --hash-config or --hash-algorithm")
    }
    if hashKey != nil && hashKeyFile != nil {
      throw ValidationError("give either --hash-key-file or --hash-key")
    }
    if let hashInputOrder, Self.orders[hashInputOrder.uppercased()] == nil {
      throw ValidationError(
        "--hash-input-order \(hashInputOrder): one of SALT_FIRST, PASSWORD_FIRST")
    }
  }

  private static let orders = [
    "SALT_FIRST": "SALT_AND_PASSWORD", "PASSWORD_FIRST": "PASSWORD_AND_SALT",
  ]

  private static func read(_ path: String) throws -> HashParameters {
    let text = try ProviderOptions.secret(in: path, "--hash-config") ?? Secret("")
    do {
      return try HashConfigText.read(text.reveal())
    } catch {
      throw CommandFailure(
        "--hash-config \(path), line \(error.line): not what the console shows: `name: value,` "
          + "between `hash_config {` and `}`")
    }
  }

  private func flags() throws -> HashParameters {
    var parameters = HashParameters()
    parameters.algorithm = hashAlgorithm
    parameters.signerKey =
      try ProviderOptions.secret(in: hashKeyFile, "--hash-key-file")?.reveal() ?? hashKey
    parameters.saltSeparator = saltSeparator
    parameters.rounds = rounds
    parameters.memoryCost = memCost
    parameters.cpuMemCost = memCost
    parameters.parallelization = parallelization
    parameters.blockSize = blockSize
    parameters.dkLen = dkLen
    parameters.passwordHashOrder =
      hashInputOrder.flatMap { Self.orders[$0.uppercased()] }.map { .name($0) }
    return parameters
  }
}
