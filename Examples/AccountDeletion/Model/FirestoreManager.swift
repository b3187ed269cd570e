import FirebaseAuth
import FirebaseFirestore

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
}
