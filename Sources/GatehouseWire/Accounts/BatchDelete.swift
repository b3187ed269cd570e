public import GatehouseJSON

/// `accounts:batchDelete`.
public struct BatchDeleteRequest: WireRequest {
  public static let maximumCount = 1000

  public var localIDs: [String]
  /// If false, only disabled accounts are deleted.
  public var force: Bool

  public init(_ fields: WireFields) throws(WireError) {
    localIDs = try fields.strings("localIds")
    force = try fields.bool("force") ?? false
  }
}

public struct BatchDeleteResponse: WireResponse {
  public var errors: [Failure]

  public init(errors: [Failure]) { self.errors = errors }

  public struct Failure: Hashable, Sendable {
    /// The index of the account in the request.
    public var index: Int
    public var localID: String
    public var message: String

    public init(index: Int, localID: String, message: String) {
      self.index = index
      self.localID = localID
      self.message = message
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
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
