import Foundation
import Hummingbird

/// What an app keeps of a person beside their account.
struct UserDocument: ResponseCodable {
  let uid: String
  /// The account's, if it is verified: taken from the token, never from the request.
  var email: String?
  var name: String?
  var birthday: String?
  let createdAt: Date
  var updatedAt: Date
}

/// Documents by their owner's id, in memory.
actor UserDocumentStore {
  private var documents: [String: UserDocument] = [:]

  func document(_ uid: String) -> UserDocument? { documents[uid] }

  /// Makes the document or changes it.
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
