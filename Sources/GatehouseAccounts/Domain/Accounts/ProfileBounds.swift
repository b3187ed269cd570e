/// What a name and a picture's address may be.
///
/// Both stand in every ID token of the account and in every list of accounts. Without a bound a
/// client could store a megabyte in each of its accounts, make tokens that no verifier takes, and
/// fill the server's memory with one page of a list.
package enum ProfileBounds {
  /// UTF-16 units, as Google's service counts them.
  package static let maximumNameUnits = 256
  package static let maximumPhotoBytes = 2048

  package enum Fault: Error, Hashable, Sendable {
    case nameTooLong, nameHasControlCharacters, photoURLTooLong, photoURLHasControlCharacters
  }

  /// Control characters (Unicode's `Cc`) are rejected: names don't contain them, and each takes six
  /// bytes in a token.
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
