/// How long a name and a picture's address may be.
///
/// Both stand in every ID token of the account and in every list of accounts. Without a bound a
/// client could store a megabyte in each of its accounts, make tokens that no verifier takes, and
/// fill the server's memory with one page of a list.
enum ProfileBounds {
  static let maximumNameBytes = 1024
  static let maximumPhotoBytes = 2048

  /// - Throws: ``APIError`` with `INVALID_PROFILE_ATTRIBUTE`.
  static func check(displayName: String?, photoURL: String?) throws(APIError) {
    if let displayName, displayName.utf8.count > maximumNameBytes {
      throw .refused("INVALID_PROFILE_ATTRIBUTE : Display name too long.")
    }
    if let photoURL, photoURL.utf8.count > maximumPhotoBytes {
      throw .refused("INVALID_PROFILE_ATTRIBUTE : Photo URL too long.")
    }
  }
}
