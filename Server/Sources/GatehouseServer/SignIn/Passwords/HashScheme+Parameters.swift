import GatehouseProtocol

/// The part of a scheme that is stored with each account: its name and parameters as text, and the
/// id of its key.
///
/// In the notation of ``PasswordHash/parameters``: `firebase-scrypt$ln=14,r=8,s=07,k=4f…`.
struct StoredScheme {
  let algorithm: HashScheme.Algorithm
  /// The id of a ``PasswordKey``.
  let keyID: String?

  init(_ algorithm: HashScheme.Algorithm, keyID: String?) {
    self.algorithm = algorithm
    self.keyID = keyID
  }

  var parameters: String {
    let key = keyID.map { ",k=\($0)" } ?? ""
    return switch algorithm {
    case .firebaseScrypt(let logCost, let blockSize, let separator):
      "firebase-scrypt$ln=\(logCost),r=\(blockSize),s=\(Hexadecimal.text(separator))\(key)"
    case .scrypt(let cost, let blockSize, let parallelism, let length):
      "standard-scrypt$n=\(cost),r=\(blockSize),p=\(parallelism),l=\(length)"
    case .pbkdf2(let digest, let rounds): "pbkdf2$h=\(digest.rawValue),i=\(rounds)"
    case .hmac(let digest, let order): "hmac$h=\(digest.rawValue),o=\(order.text)\(key)"
    case .digest(let digest, let rounds, let order):
      "digest$h=\(digest.rawValue),i=\(rounds),o=\(order.text)"
    case .bcrypt: "bcrypt$"
    }
  }

  /// Parses the text of ``parameters``; nil for anything else, such as the server's own hashes.
  init?(_ parameters: String) {
    let parts = parameters.split(separator: "$", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var values: [Substring: Substring] = [:]
    for pair in parts[1].split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { return nil }
      values[sides[0]] = sides[1]
    }
    guard let algorithm = Self.algorithm(parts[0], values) else { return nil }
    self.init(algorithm, keyID: values["k"].map(String.init))
  }

  private static func algorithm(
    _ name: Substring, _ values: [Substring: Substring]
  ) -> HashScheme.Algorithm? {
    func number(_ name: Substring) -> Int? { values[name].flatMap { Int($0) } }
    let digest = values["h"].flatMap { HashScheme.Digest(rawValue: String($0)) }
    let order = values["o"].flatMap { HashScheme.InputOrder(text: $0) }
    switch name {
    case "firebase-scrypt":
      guard let logCost = number("ln"), let blockSize = number("r"),
        let separator = values["s"].flatMap({ Hexadecimal.bytes($0) })
      else { return nil }
      return .firebaseScrypt(logCost: logCost, blockSize: blockSize, saltSeparator: separator)
    case "standard-scrypt":
      guard let cost = number("n"), let blockSize = number("r"), let parallelism = number("p"),
        let length = number("l")
      else { return nil }
      return .scrypt(cost: cost, blockSize: blockSize, parallelism: parallelism, length: length)
    case "pbkdf2":
      guard let digest, let rounds = number("i") else { return nil }
      return .pbkdf2(digest, rounds: rounds)
    case "hmac":
      guard let digest, let order else { return nil }
      return .hmac(digest, order)
    case "digest":
      guard let digest, let rounds = number("i"), let order else { return nil }
      return .digest(digest, rounds: rounds, order)
    case "bcrypt": return .bcrypt
    default: return nil
    }
  }
}

extension HashScheme.InputOrder {
  fileprivate var text: String {
    switch self {
    case .saltFirst: "salt+password"
    case .passwordFirst: "password+salt"
    case .unstated: "unstated"
    }
  }

  /// Nil for any other text.
  fileprivate init?(text: Substring) {
    switch text {
    case "salt+password": self = .saltFirst
    case "password+salt": self = .passwordFirst
    case "unstated": self = .unstated
    default: return nil
    }
  }
}
