import ArgumentParser
import GatehouseServer
import GatehouseProtocol

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
    help: "The algorithm, without --hash-config: SCRYPT, BCRYPT, PBKDF2_SHA256, …")
  var hashAlgorithm: String?

  @Option(help: "A file with the signer key or HMAC key, in base64.")
  var hashKeyFile: String?

  @Option(help: "The key itself. It is visible in the process list: --hash-key-file is safer.")
  var hashKey: String?

  @Option(help: "For SCRYPT: the salt separator, in base64.")
  var saltSeparator: String?

  @Option(help: "The number of rounds; for SCRYPT, the block size.")
  var rounds: Int64?

  @Option(help: "For SCRYPT: the memory cost, an exponent of two. For STANDARD_SCRYPT: N.")
  var memCost: Int64?

  @Option(help: "For STANDARD_SCRYPT: p.")
  var parallelization: Int64?

  @Option(help: "For STANDARD_SCRYPT: r.")
  var blockSize: Int64?

  @Option(help: "For STANDARD_SCRYPT: the length of the hash in bytes.")
  var dkLen: Int64?

  @Option(help: "For HMACs and digests: SALT_FIRST or PASSWORD_FIRST.")
  var hashInputOrder: String?

  /// - Throws: ``CommandFailure`` if the parameters are wrong.
  func parameters() throws -> HashParameters {
    let parameters = try hashConfig.map(Self.read) ?? flags()
    do {
      _ = try parameters.scheme()
      return parameters
    } catch {
      throw CommandFailure("\(hashConfig ?? "the password hash flags"): \(error.message)")
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
        "--hash-config \(path), line \(error.line): not in the console's format, which is "
          + "`name: value,` between `hash_config {` and `}`")
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
