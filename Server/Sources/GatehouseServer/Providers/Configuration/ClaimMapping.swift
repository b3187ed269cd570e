import GatehouseProtocol

/// Which of a provider's claims to use in place of those of OpenID Connect Core §5.1.
///
/// `sub` can't be mapped: an identity is (issuer, subject), and only `sub` is a claim that a
/// provider promises never to reassign to another user (§5.7). A mapping doesn't make an address
/// trusted: ``ProviderConfiguration/trustEmail`` decides that.
package struct ClaimMapping: Hashable, Sendable {
  package var email: ClaimPath?
  /// The claim that says whether ``email`` is verified. If the address comes from another claim
  /// than `email`, only a claim that is named here can verify it: `email_verified` is about
  /// `email`.
  package var emailVerified: ClaimPath?
  package var name: ClaimPath?
  package var picture: ClaimPath?

  /// The claims that can be mapped. Administrators write the raw values.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case email, emailVerified, name, picture
  }

  package init() {}

  package subscript(field: Field) -> ClaimPath? {
    get {
      switch field {
      case .email: email
      case .emailVerified: emailVerified
      case .name: name
      case .picture: picture
      }
    }
    set {
      switch field {
      case .email: email = newValue
      case .emailVerified: emailVerified = newValue
      case .name: name = newValue
      case .picture: picture = newValue
      }
    }
  }

  /// Whether nothing is mapped.
  package var isEmpty: Bool { Field.allCases.allSatisfy { self[$0] == nil } }
}

/// The place of a value in the claims: a claim's name, such as `upn` or `https://example.com/mail`,
/// or a JSON Pointer (RFC 6901) through objects, which begins with a slash: `/profile/mail`.
package struct ClaimPath: ByteExact {
  package static let maximumBytes = 256
  /// The greatest number of nested names.
  package static let maximumDepth = 4

  package let text: String
  /// The names from the outermost to the innermost; at least one.
  package let names: [String]

  /// Returns nil if `text` is empty, malformed, too long or too deep, or if it names a claim that
  /// is about the token and not about the user.
  package init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count),
      !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    else { return nil }
    let names = text.utf8.first == UInt8(ascii: "/") ? Self.unescaped(text) : [text]
    guard let names, let first = names.first, names.count <= Self.maximumDepth,
      !Self.ofTokens.containsBytes(of: first)
    else { return nil }
    self.text = text
    self.names = names
  }

  /// RFC 6901 §3 and §4: `~1` is a slash and `~0` a tilde.
  private static func unescaped(_ pointer: String) -> [String]? {
    var names: [String] = []
    for piece in pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst()
    {
      var bytes: [UInt8] = []
      var rest = piece
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "~") else {
          bytes.append(byte)
          continue
        }
        switch rest.popFirst() {
        case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
        default: return nil
        }
      }
      guard !bytes.isEmpty else { return nil }
      names.append(String(decoding: bytes, as: UTF8.self))
    }
    return names
  }

  /// RFC 7519 §4.1 without `sub`; OpenID Connect Core §2, §3.1.3.6 and §3.3.2.11; Front-Channel Logout
  /// §3 (`sid`); FAPI 1.0 Part 2 §5.1.1 (`s_hash`).
  private static let ofTokens = [
    "iss", "aud", "exp", "nbf", "iat", "jti", "auth_time", "nonce", "acr", "amr", "azp", "at_hash",
    "c_hash", "s_hash", "sid",
  ]
}
