package import GatehouseProtocol

/// How the passwords in an upload were hashed.
package struct HashParameters: WireRequest {
  /// `SCRYPT`, `HMAC_SHA256`, …
  package var algorithm: String?
  /// Base64, of either alphabet.
  package var signerKey: String?
  /// Base64, of either alphabet.
  package var saltSeparator: String?
  package var rounds: Int64?
  package var memoryCost: Int64?
  package var cpuMemCost: Int64?
  package var parallelization: Int64?
  package var blockSize: Int64?
  package var dkLen: Int64?
  package var passwordHashOrder: WireEnumerator?

  /// No algorithm: the upload has no passwords.
  package init() {}

  /// The parameters under the names of an upload.
  package var json: JSONObject {
    let order: String? =
      if case .name(let name)? = passwordHashOrder { name } else { nil }
    let texts = [
      ("hashAlgorithm", algorithm), ("signerKey", signerKey), ("saltSeparator", saltSeparator),
      ("passwordHashOrder", order),
    ]
    let numbers = [
      ("rounds", rounds), ("memoryCost", memoryCost), ("cpuMemCost", cpuMemCost),
      ("parallelization", parallelization), ("blockSize", blockSize), ("dkLen", dkLen),
    ]
    var json = JSONObject([])
    for (name, text) in texts { json[name] = text.map { .string($0) } }
    for (name, number) in numbers { json[name] = number.map { .number(JSONNumber($0)) } }
    return json
  }

  package init(_ fields: WireFields) throws(WireError) {
    algorithm = try fields.nonEmptyString("hashAlgorithm")
    signerKey = try fields.nonEmptyString("signerKey")
    saltSeparator = try fields.nonEmptyString("saltSeparator")
    rounds = try fields.int64("rounds")
    memoryCost = try fields.int64("memoryCost")
    cpuMemCost = try fields.int64("cpuMemCost")
    parallelization = try fields.int64("parallelization")
    blockSize = try fields.int64("blockSize")
    dkLen = try fields.int64("dkLen")
    passwordHashOrder = try fields.enumerator("passwordHashOrder")
    if case .name(let name)? = passwordHashOrder,
      !["UNSPECIFIED_ORDER", "SALT_AND_PASSWORD", "PASSWORD_AND_SALT"].contains(
        where: { $0.utf8.elementsEqual(name.utf8) })
    {
      throw WireError(field: "passwordHashOrder", wanted: .enumeration)
    }
  }
}
