/// A simulated identity provider: a built-in one, or one that a test created (`oidc/my-test`).
///
/// Its ``kind`` defines its behaviour. Two providers are equal if their names are equal.
struct Provider: Sendable {
  let kind: any ProviderKind
  /// The folder of its paths, and its name in requests.
  let rawValue: String
  /// Whether a test created it.
  let isMadeByTest: Bool

  init(_ kind: any ProviderKind) {
    self.kind = kind
    rawValue = kind.id
    isMadeByTest = false
  }

  /// - Parameter name: 1 to 64 of `a-z 0-9 . _ -`, beginning with a letter.
  /// - Returns: Nil if the name is invalid.
  init?(_ kind: any ProviderKind, named name: String) {
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    guard (1...64).contains(name.utf8.count), name.utf8.first.map(isLetter) == true,
      name.utf8.allSatisfy({ byte in
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || "._-".utf8.contains(byte)
      })
    else { return nil }
    self.kind = kind
    rawValue = "\(kind.id)/\(name)"
    isMadeByTest = true
  }

  /// The providers that always exist.
  static let builtIn: [Provider] = kinds.map { Provider($0) }

  /// The name for use in a sentence.
  var displayName: String { kind.displayName }

  /// The `iss` of its ID tokens, unless a fault changes it.
  ///
  /// - Parameter baseURL: The simulator's address.
  func issuer(baseURL: String) -> String { kind.issuer(of: self, baseURL: baseURL) }
}

extension Provider: Hashable {
  static func == (one: Provider, other: Provider) -> Bool {
    one.rawValue.isSame(as: other.rawValue)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Provider: RawRepresentable, Codable {
  init?(rawValue: String) {
    if let builtIn = Self.builtIn.first(where: { $0.rawValue.isSame(as: rawValue) }) {
      self = builtIn
      return
    }
    for kind in Self.kinds where kind.canBeMadeByTests {
      let folder = "\(kind.id)/"
      guard rawValue.utf8.starts(with: folder.utf8) else { continue }
      self.init(kind, named: String(rawValue.utf8.dropFirst(folder.utf8.count)) ?? "")
      return
    }
    return nil
  }
}
