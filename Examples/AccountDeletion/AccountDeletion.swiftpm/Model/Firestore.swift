import FirebaseAuth
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Replaces Google's Firestore SDK. The names are Firestore's, so the tutorial's code
// doesn't change. The documents are in a back end that has `GET`, `PUT` and `DELETE
// /{collection}/{document}` and identifies the user by our ID token, such as Examples/NotesAPI.

final class Firestore {
  static func firestore() -> Firestore { Firestore() }

  func collection(_ collectionPath: String) -> CollectionReference {
    CollectionReference(path: collectionPath)
  }
}

struct CollectionReference {
  let path: String

  func document(_ documentPath: String) -> DocumentReference {
    DocumentReference(path: path + "/" + documentPath)
  }
}

struct DocumentSnapshot {
  let documentID: String
  fileprivate let body: Data?
  var exists: Bool { body != nil }

  func data() -> [String: Any]? {
    body.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
  }
}

/// An error response of the back end.
struct FirestoreFault: Error, Hashable {
  var status: Int
}

struct DocumentReference {
  let path: String
  var documentID: String { path.split(separator: "/").last.map(String.init) ?? "" }

  func getDocument() async throws -> DocumentSnapshot {
    let (status, body) = try await send("GET", body: nil)
    switch status {
    case 200: return DocumentSnapshot(documentID: documentID, body: body)
    case 404: return DocumentSnapshot(documentID: documentID, body: nil)
    default: throw FirestoreFault(status: status)
    }
  }

  func setData(_ documentData: [String: Any]) async throws {
    let body = try JSONSerialization.data(withJSONObject: documentData)
    let (status, _) = try await send("PUT", body: body)
    guard (200..<300).contains(status) else { throw FirestoreFault(status: status) }
  }

  /// A missing document counts as deleted.
  func delete() async throws {
    let (status, _) = try await send("DELETE", body: nil)
    guard (200..<300).contains(status) || status == 404 else {
      throw FirestoreFault(status: status)
    }
  }

  private func send(_ method: String, body: Data?) async throws -> (Int, Data) {
    guard let url = URL(string: await ExampleServer.documents + "/" + path) else {
      throw FirestoreFault(status: 0)
    }
    var request = URLRequest(url: url, timeoutInterval: 60)
    request.httpMethod = method
    request.httpBody = body
    request.setValue("application/json", forHTTPHeaderField: "content-type")
    if let token = try await Auth.auth().currentUser?.getIDToken() {
      request.setValue("Bearer \(token)", forHTTPHeaderField: "authorization")
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
  }
}
