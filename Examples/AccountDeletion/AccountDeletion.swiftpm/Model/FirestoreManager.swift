import FirebaseAuth

// The SwiftUI tutorial's look at the user's document.

// From the tutorial's earlier parts: written anew, to the same names.
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

  // The tutorial says these two in words: “save the user's profile data in a document in the users
  // collection”, and “Finally, delete the user account (and all associated data)” in Firebase's guide.

  /// The name that Apple told once, beside what the back end knows from the token.
  func setUserDocument(_ user: User) async throws {
    var data: [String: Any] = [:]
    if let name = user.displayName { data["name"] = name }
    try await db.collection(Collection.Users).document(user.uid).setData(data)
  }

  func deleteUserDocument(_ user: User) async throws {
    try await db.collection(Collection.Users).document(user.uid).delete()
  }
}
