/// An identity provider that the simulator plays. The raw value is the first folder of its paths.
enum Provider: String, Sendable, Hashable, Codable, CaseIterable {
  case apple
  case google
  case facebook
  case oidc

  /// The `iss` of its ID tokens, unless a fault says otherwise.
  ///
  /// - Parameter baseURL: Where the simulator is reached. The others keep their own issuers wherever
  ///   they are reached.
  func issuer(baseURL: String) -> String {
    switch self {
    case .apple: "https://appleid.apple.com"
    case .google: "https://accounts.google.com"
    case .facebook: "https://www.facebook.com"
    case .oidc: baseURL + "/oidc"
    }
  }

  /// How long an ID token lives, in seconds.
  var idTokenLifetime: Int {
    switch self {
    case .apple: 86_400
    case .google, .facebook, .oidc: 3_600
    }
  }

  /// How long an access token lives, in seconds. Facebook's are "long-lived": 60 days.
  var accessTokenLifetime: Int {
    switch self {
    case .apple, .google, .oidc: 3_600
    case .facebook: 5_184_000
    }
  }
}

/// How long an authorization code can be exchanged, in seconds, at every provider.
let codeLifetime = 300
