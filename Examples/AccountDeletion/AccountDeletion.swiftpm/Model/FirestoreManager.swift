import FirebaseAuth

// The SwiftUI tutorial's check for the user's document.

// The tutorial's earlier parts define these. Here they are newly written, with the same names.
enum Collection {
  static let Users = "users"
}

enum FirestoreErrors: Error {
  case DocumentDoesNotExist
}

final class FirestoreManager {
  let db = Firestore.firestore()

  func getUserDocument(_ user: User) async throws -> Bool {
    let userDocumentReference = db.collection(Collection.Users).document(user.uid)
    let document = try await userDocumentReference.getDocument()
    guard document.exists else {
      throw FirestoreErrors.DocumentDoesNotExist
    }
    // function content...
    return true
  }

  // The next two functions are described without code. The tutorial says: “save the user's profile
  // data in a document in the users collection”. Firebase's guide says: “Finally, delete the user
  // account (and all associated data)”.

  /// Writes the name that Apple sent once. The back end takes the rest from the token.
  func setUserDocument(_ user: User) async throws {
    var data: [String: Any] = [:]
    if let name = user.displayName { data["name"] = name }
    try await db.collection(Collection.Users).document(user.uid).setData(data)
  }

  func deleteUserDocument(_ user: User) async throws {
    try await db.collection(Collection.Users).document(user.uid).delete()
  }
}
