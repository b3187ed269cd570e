import GatehouseJSON
import GatehouseWire

/// `accounts:batchDelete`.
struct BatchDeleteRequest: WireRequest {
  static let maximumCount = 1000

  var localIDs: [String]
  /// If false, only disabled accounts are deleted.
  var force: Bool

  init(_ fields: WireFields) throws(WireError) {
    localIDs = try fields.strings("localIds")
    force = try fields.bool("force") ?? false
  }
}

struct BatchDeleteResponse: WireResponse {
  var errors: [Failure]

  init(errors: [Failure]) { self.errors = errors }

  struct Failure: Hashable, Sendable {
    /// The index of the account in the request.
    var index: Int
    var localID: String
    var message: String

    init(index: Int, localID: String, message: String) {
      self.index = index
      self.localID = localID
      self.message = message
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    guard !errors.isEmpty else { return }
    writer.array("errors") { list in
      for error in errors {
        list.object {
          $0.member("index", error.index)
          $0.member("localId", error.localID)
          $0.member("message", error.message)
        }
      }
    }
  }
}
