import GatehouseProtocol

/// The limits of a display name and of a photo's URL.
///
/// Every list of accounts contains both, and an ID token contains both if it has room for them. Without a
/// bound a client could store a megabyte in each of its accounts, and one page of a list would fill the
/// server's memory.
package enum ProfileBounds {
  /// UTF-16 units, as Google's service counts them.
  package static let maximumNameUnits = 256
  package static let maximumPhotoBytes = 2048

  package enum Fault: Error, Hashable, Sendable {
    case nameTooLong, nameHasControlCharacters, photoURLTooLong, photoURLHasControlCharacters
  }

  /// Control characters (Unicode's `Cc`) are rejected: names don't contain them, and those below
  /// U+0020 take up to six bytes each in a token.
  package static func check(displayName: String?, photoURL: String?) throws(Fault) {
    if let displayName {
      if displayName.utf16.count > maximumNameUnits { throw .nameTooLong }
      if hasControlCharacter(displayName) { throw .nameHasControlCharacters }
    }
    if let photoURL {
      if photoURL.utf8.count > maximumPhotoBytes { throw .photoURLTooLong }
      if hasControlCharacter(photoURL) { throw .photoURLHasControlCharacters }
    }
  }

  private static func hasControlCharacter(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

extension ProfileBounds.Fault: APIErrorConvertible {
  var apiError: APIError {
    let detail =
      switch self {
      case .nameTooLong: "Display name too long."
      case .nameHasControlCharacters: "Display name has control characters."
      case .photoURLTooLong: "Photo URL too long."
      case .photoURLHasControlCharacters: "Photo URL has control characters."
      }
    return .refused(.invalidProfileAttribute, detail)
  }
}
