/// An identity provider that the simulator plays. ``rawValue`` is the folder of its paths.
enum Provider: Sendable, Hashable {
  case apple
  case google
  case facebook
  case oidc
  /// One more provider by the book, made by a test for itself: see ``SimulatorState/issuers``.
  ///
  /// A name is 1 to 64 of `a-z 0-9 . _ -` and begins with a letter.
  case issuer(String)

  /// Those that are always there.
  static let builtIn: [Provider] = [.apple, .google, .facebook, .oidc]

  /// The `iss` of its ID tokens, unless a fault says otherwise.
  ///
  /// - Parameter baseURL: Where the simulator is reached. The others keep their own issuers wherever
  ///   they are reached.
  func issuer(baseURL: String) -> String {
    switch self {
    case .apple: "https://appleid.apple.com"
    case .google: "https://accounts.google.com"
    case .facebook: "https://www.facebook.com"
    case .oidc, .issuer: "\(baseURL)/\(rawValue)"
    }
  }

  /// Whether it goes by OpenID Connect's book, and no vendor's.
  var isGeneric: Bool {
    switch self {
    case .oidc, .issuer: true
    case .apple, .google, .facebook: false
    }
  }

  /// How long an ID token lives, in seconds.
  var idTokenLifetime: Int {
    switch self {
    case .apple: 86_400
    case .google, .facebook, .oidc, .issuer: 3_600
    }
  }

  /// How long an access token lives, in seconds. Facebook's are "long-lived": 60 days.
  var accessTokenLifetime: Int {
    switch self {
    case .apple, .google, .oidc, .issuer: 3_600
    case .facebook: 5_184_000
    }
  }
}

extension Provider: RawRepresentable, Codable {
  private static let issuerFolder = "oidc/"

  init?(rawValue: String) {
    switch rawValue {
    case "apple": self = .apple
    case "google": self = .google
    case "facebook": self = .facebook
    case "oidc": self = .oidc
    default:
      guard rawValue.utf8.starts(with: Self.issuerFolder.utf8),
        let issuer = Provider(issuer: String(rawValue.dropFirst(Self.issuerFolder.count)))
      else { return nil }
      self = issuer
    }
  }

  var rawValue: String {
    switch self {
    case .apple: "apple"
    case .google: "google"
    case .facebook: "facebook"
    case .oidc: "oidc"
    case .issuer(let name): Self.issuerFolder + name
    }
  }

  /// - Returns: Nil for what is no name.
  init?(issuer name: String) {
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    guard (1...64).contains(name.utf8.count), name.utf8.first.map(isLetter) == true,
      name.utf8.allSatisfy({ byte in
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || "._-".utf8.contains(byte)
      })
    else { return nil }
    self = .issuer(name)
  }
}

/// How long an authorization code can be exchanged, in seconds, at every provider.
let codeLifetime = 300
