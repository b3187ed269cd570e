import GatehouseWire

/// The limits of a display name and a photo URL.
///
/// Both are part of every ID token of the account and of every list of accounts. Without a limit a
/// client could store a megabyte in each of its accounts, cause tokens that no verifier accepts,
/// and fill the server's memory with one page of a list.
enum ProfileBounds {
  /// UTF-16 units, as Google's service counts them.
  static let maximumNameUnits = 256
  static let maximumPhotoBytes = 2048

  /// Control characters (Unicode's `Cc`) are rejected: names have none, and each takes six bytes in
  /// a token.
  ///
  /// - Throws: ``APIError`` with `INVALID_PROFILE_ATTRIBUTE`.
  static func check(displayName: String?, photoURL: String?) throws(APIError) {
    if let displayName {
      if displayName.utf16.count > maximumNameUnits {
        throw .refused(.invalidProfileAttribute, "Display name too long.")
      }
      if hasControlCharacter(displayName) {
        throw .refused(.invalidProfileAttribute, "Display name has control characters.")
      }
    }
    if let photoURL {
      if photoURL.utf8.count > maximumPhotoBytes {
        throw .refused(.invalidProfileAttribute, "Photo URL too long.")
      }
      if hasControlCharacter(photoURL) {
        throw .refused(.invalidProfileAttribute, "Photo URL has control characters.")
      }
    }
  }

  private static func hasControlCharacter(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
