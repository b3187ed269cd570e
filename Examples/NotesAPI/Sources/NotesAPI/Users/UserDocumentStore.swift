import Foundation
import Hummingbird

/// What an app stores about a user outside their account.
struct UserDocument: ResponseCodable {
  let uid: String
  /// The account's verified email, taken from the token and never from the request.
  var email: String?
  var name: String?
  var birthday: String?
  let createdAt: Date
  var updatedAt: Date
}

/// The documents, in memory, by their owner's id.
actor UserDocumentStore {
  private var documents: [String: UserDocument] = [:]

  func document(_ uid: String) -> UserDocument? { documents[uid] }

  /// Creates or changes the document.
  func put(
    _ uid: String, email: String?, name: String?, birthday: String?, now: Date
  ) -> UserDocument {
    let document = UserDocument(
      uid: uid, email: email, name: name, birthday: birthday,
      createdAt: documents[uid]?.createdAt ?? now, updatedAt: now)
    documents[uid] = document
    return document
  }

  func remove(_ uid: String) { documents[uid] = nil }
}
