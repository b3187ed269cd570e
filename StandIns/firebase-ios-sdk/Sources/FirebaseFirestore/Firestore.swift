import Foundation

open class Firestore: NSObject {
  open class func firestore() -> Firestore { Firestore() }
  open func document(_ documentPath: String) -> DocumentReference { DocumentReference() }
}

open class DocumentReference: NSObject {
  open func getDocument() async throws -> DocumentSnapshot { DocumentSnapshot() }
}

open class DocumentSnapshot: NSObject {
  open func data() -> [String: Any]? { nil }
}
