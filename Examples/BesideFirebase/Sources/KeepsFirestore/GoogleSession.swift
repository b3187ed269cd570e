import FirebaseAuth
import FirebaseCore

/// Google's Auth, of which nobody but Firestore and Storage knows: their rules read its tokens.
/// No other file imports FirebaseAuth.
enum GoogleSession {
  static func configure() { FirebaseApp.configure() }

  static var uid: String? { Auth.auth().currentUser?.uid }

  static func begin(customToken: String) async throws {
    try await Auth.auth().signIn(withCustomToken: customToken)
  }

  static func end() throws { try Auth.auth().signOut() }
}
