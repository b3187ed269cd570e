import Foundation

extension ClientCore {
  /// The session that Google's SDK left on the device; nil if there is none.
  ///
  /// - Throws: ``StoreFault``. With the kind `damaged`, the item can't be read by any version.
  func firebaseSession() throws(StoreFault) -> HeldSession? {
    guard let firebaseItems, let app = configuration.formerFirebaseApp,
      !configuration.usesEmulator, let item = try firebaseItems.find()
    else { return nil }
    let archive = try FirebaseArchive(item.archive, rootKey: item.rootKey)
    guard let token = try? IDToken(parsing: archive.idToken),
      token.subject == archive.snapshot.uid
    else {
      throw StoreFault(.damaged, detail: "The item of Google's SDK has no token of its user.")
    }
    var tokens = HeldTokens(idToken: token, refreshToken: archive.refreshToken)
    tokens.firebaseAPIKey = archive.apiKey ?? app.apiKey
    return HeldSession(tokens: tokens, snapshot: archive.snapshot)
  }

  /// Removes what Google's SDK left, when there is a session of the server in its place, or none any more.
  /// If that fails, the next sign-out tries again.
  func removeFirebaseItems() { try? firebaseItems?.remove() }
}
