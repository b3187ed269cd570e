public import Foundation
import FirebaseAuth
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Documents of a server that has `GET` and `PUT /{collection}/{document}` and knows who asks by
/// Gatehouse's ID token, as Firestore's rules do.
public final class Firestore: NSObject, Sendable {
  /// Where the documents are. Process-wide.
  public static var simulatedServerURL: String {
    get { server.withLock { $0 } }
    set { server.withLock { $0 = newValue } }
  }
  private static let server = Mutex("")

  private static let shared = Firestore()
  public class func firestore() -> Firestore { shared }

  public func collection(_ collectionPath: String) -> CollectionReference {
    CollectionReference(path: collectionPath)
  }
}

public final class CollectionReference: NSObject, Sendable {
  public let path: String
  init(path: String) { self.path = path }
  public func document(_ documentPath: String) -> DocumentReference {
    DocumentReference(path: path + "/" + documentPath)
  }
}

public final class DocumentReference: NSObject, Sendable {
  public let path: String
  public var documentID: String { path.split(separator: "/").last.map(String.init) ?? "" }
  init(path: String) { self.path = path }

  public func getDocument() async throws -> DocumentSnapshot {
    let (status, body) = try await send("GET", body: nil)
    switch status {
    case 200: return DocumentSnapshot(documentID: documentID, body: body)
    case 404: return DocumentSnapshot(documentID: documentID, body: nil)
    default: throw FirestoreFault(status: status)
    }
  }

  public func setData(_ documentData: [String: Any]) async throws {
    let body = try JSONSerialization.data(withJSONObject: documentData)
    let (status, _) = try await send("PUT", body: body)
    guard (200..<300).contains(status) else { throw FirestoreFault(status: status) }
  }

  public func delete() async throws {
    let (status, _) = try await send("DELETE", body: nil)
    guard (200..<300).contains(status) || status == 404 else {
      throw FirestoreFault(status: status)
    }
  }

  private func send(_ method: String, body: Data?) async throws -> (Int, Data) {
    guard let url = URL(string: Firestore.simulatedServerURL + "/" + path) else {
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

public final class DocumentSnapshot: NSObject, Sendable {
  public let documentID: String
  private let body: Data?
  public var exists: Bool { body != nil }

  init(documentID: String, body: Data?) {
    self.documentID = documentID
    self.body = body
  }

  public func data() -> [String: Any]? {
    body.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
  }
}

/// The server's refusal.
public struct FirestoreFault: Error, Sendable, Hashable {
  public var status: Int
  public init(status: Int) { self.status = status }
}
