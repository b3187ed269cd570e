import GatehouseProtocol

/// The text that Firebase's console shows under "Password hash parameters", and that
/// `gatehouse export` writes next to an export:
///
/// ```
/// hash_config {
///   algorithm: SCRYPT,
///   base64_signer_key: …,
///   base64_salt_separator: Bw==,
///   rounds: 8,
///   mem_cost: 14,
/// }
/// ```
///
/// The parameters of other algorithms have the protocol's names in snake_case: `cpuMemCost` is
/// `cpu_mem_cost`.
package enum HashConfigText {
  /// A text doesn't have this format. `==` compares everything.
  package struct Malformed: Error, Hashable, Sendable {
    /// The number of the malformed line, from 1.
    package let line: Int

    package init(line: Int) { self.line = line }
  }

  private typealias Field<Value> = (name: String, path: WritableKeyPath<HashParameters, Value?>)

  // Not stored: key paths aren't Sendable.
  private static var texts: [Field<String>] {
    [
      ("algorithm", \.algorithm), ("base64_signer_key", \.signerKey),
      ("base64_salt_separator", \.saltSeparator),
    ]
  }
  private static var numbers: [Field<Int64>] {
    [
      ("rounds", \.rounds), ("mem_cost", \.memoryCost), ("cpu_mem_cost", \.cpuMemCost),
      ("block_size", \.blockSize), ("parallelization", \.parallelization), ("dk_len", \.dkLen),
    ]
  }
  private static let order = "password_hash_order"

  /// - Throws: ``Malformed`` for a malformed line, or one with an unknown parameter.
  package static func read(_ text: String) throws(Malformed) -> HashParameters {
    var parameters = HashParameters()
    // `\r\n` is one character, so a search for `\n` would not find the line breaks of a Windows editor.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = trimmed(line)
      if line.isEmpty || line == "hash_config {" || line == "}" { continue }
      let sides = line.split(separator: ":", maxSplits: 1).map(trimmed)
      guard sides.count == 2, set(sides[0], to: sides[1], in: &parameters) else {
        throw Malformed(line: index + 1)
      }
    }
    return parameters
  }

  package static func write(_ parameters: HashParameters) -> String {
    var lines = ["hash_config {"]
    for (name, path) in texts {
      if let value = parameters[keyPath: path] { lines.append("  \(name): \(value),") }
    }
    for (name, path) in numbers {
      if let value = parameters[keyPath: path] { lines.append("  \(name): \(value),") }
    }
    if case .name(let value) = parameters.passwordHashOrder {
      lines.append("  \(order): \(value),")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private static func set(
    _ name: Substring, to value: Substring, in parameters: inout HashParameters
  ) -> Bool {
    if let known = texts.first(where: { $0.name == name }) {
      parameters[keyPath: known.path] = String(value)
      return true
    }
    if let known = numbers.first(where: { $0.name == name }) {
      guard let number = Int64(value) else { return false }
      parameters[keyPath: known.path] = number
      return true
    }
    guard name == order else { return false }
    parameters.passwordHashOrder = .name(String(value))
    return true
  }

  /// Without surrounding white space and the comma after it.
  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while let last = text.last, last.isWhitespace || last == "," { text.removeLast() }
    return text
  }
}
