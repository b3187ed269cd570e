/// The name of a provider.
public struct AuthProviderID: Equatable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The id in the protocol, like `apple.com`.
  public let rawValue: String

  /// Lets callers pass a string literal where the deprecated functions took a string.
  public init(stringLiteral value: String) { rawValue = value }

  init(_ rawValue: String) { self.rawValue = rawValue }

  /// `apple.com`
  public static var apple: Self { Self("apple.com") }
  /// `password`
  public static var email: Self { Self(EmailAuthProvider.id) }
  /// `facebook.com`
  public static var facebook: Self { Self(FacebookAuthProvider.id) }
  /// `gc.apple.com`
  public static var gameCenter: Self { Self(GameCenterAuthProviderID) }
  /// `github.com`
  public static var gitHub: Self { Self(GitHubAuthProvider.id) }
  /// `google.com`
  public static var google: Self { Self(GoogleAuthProvider.id) }
  /// `phone`
  public static var phone: Self { Self(PhoneAuthProviderID) }
  /// Any other provider. The id of an operator's OpenID Connect provider begins with `oidc.`.
  public static func custom(_ value: String) -> Self { Self(value) }

  /// Compares byte for byte: Swift's own `==` treats canonically equivalent strings as equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in rawValue.utf8 { hasher.combine(byte) }
  }
}
