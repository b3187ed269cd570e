/// The id of a sign-in provider, as Firebase's API spells it: `apple.com`, `oidc.example`,
/// `password`.
///
/// Compared byte for byte: `OIDC.example` is not `oidc.example`.
public struct ProviderID: ByteExact {
  /// At most this many UTF-8 bytes.
  public static let maximumBytes = 64

  public let text: String

  /// The greatest length of an OpenID Connect provider's name after `oidc.`.
  public static let maximumNameBytes = 32

  /// Returns nil unless `text` is 1 to 64 printable ASCII characters without a space.
  public init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.text = text
  }

  /// An id that is a literal in the source code. It must have the form that ``init(_:)`` accepts.
  public init(constant text: StaticString) { self.text = "\(text)" }

  public static let apple = ProviderID(constant: "apple.com")
  public static let google = ProviderID(constant: "google.com")
  public static let facebook = ProviderID(constant: "facebook.com")
  public static let microsoft = ProviderID(constant: "microsoft.com")
  public static let password = ProviderID(constant: "password")
  public static let phone = ProviderID(constant: "phone")
  public static let anonymous = ProviderID(constant: "anonymous")
  public static let custom = ProviderID(constant: "custom")
  public static let passkey = ProviderID(constant: "passkey")

  /// Whether the id begins with `oidc.`, as those of configured OpenID Connect providers do.
  public var isOpenIDConnect: Bool { text.utf8.starts(with: "oidc.".utf8) }

  /// Whether an administrator may create an OpenID Connect provider with this id: `oidc.` and a
  /// name of 1 to 32 characters `[a-z0-9._-]` that begins with a letter.
  public var isValidOpenIDConnectName: Bool {
    guard isOpenIDConnect else { return false }
    let name = text.utf8.dropFirst(5)
    guard (1...Self.maximumNameBytes).contains(name.count), let first = name.first else {
      return false
    }
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    return isLetter(first)
      && name.allSatisfy { byte in
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
  }
}
