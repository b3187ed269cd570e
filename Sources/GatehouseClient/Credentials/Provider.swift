/// A way to sign in, by its id in Firebase's API: `apple.com`, `password`, `oidc.example`.
public struct Provider: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }

  public var description: String { rawValue }

  public static let apple: Provider = "apple.com"
  public static let google: Provider = "google.com"
  public static let facebook: Provider = "facebook.com"
  public static let github: Provider = "github.com"
  public static let microsoft: Provider = "microsoft.com"
  public static let password: Provider = "password"
  public static let phone: Provider = "phone"
  public static let passkey: Provider = "passkey"
  public static let anonymous: Provider = "anonymous"
  public static let custom: Provider = "custom"

  /// Compares byte for byte: Swift's own `==` treats canonically equivalent strings as equal.
  public static func == (left: Provider, right: Provider) -> Bool {
    left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in rawValue.utf8 { hasher.combine(byte) }
  }
}
