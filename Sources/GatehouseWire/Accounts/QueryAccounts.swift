public import GatehouseJSON

/// `accounts:query`.
public struct QueryAccountsRequest: WireRequest {
  /// If false, the accounts are only counted.
  public var returnsUserInfo: Bool
  public var limit: Int64?
  public var offset: Int64?
  public var sortBy: WireEnumerator?
  public var order: WireEnumerator?
  /// Only the first one is used.
  public var expressions: [Expression]

  public init(_ fields: WireFields) throws(WireError) {
    returnsUserInfo = try fields.bool("returnUserInfo") ?? true
    limit = try fields.int64("limit")
    offset = try fields.int64("offset")
    sortBy = try fields.enumerator("sortBy")
    order = try fields.enumerator("order")
    expressions = []
    for message in try fields.messages("expression") {
      expressions.append(try Expression(message))
    }
  }

  /// One of the three fields. If several are given, the first one is used.
  public struct Expression: WireRequest {
    public var email: String?
    public var phoneNumber: String?
    public var userID: String?

    public init(_ fields: WireFields) throws(WireError) {
      email = try fields.nonEmptyString("email")
      phoneNumber = try fields.nonEmptyString("phoneNumber")
      userID = try fields.nonEmptyString("userId")
    }
  }
}

public struct QueryAccountsResponse: WireResponse {
  /// The number of returned accounts; if none are returned, the number of matching accounts.
  public var recordsCount: Int
  public var users: [UserInfo]

  public init(recordsCount: Int, users: [UserInfo]) {
    self.recordsCount = recordsCount
    self.users = users
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("recordsCount", String(recordsCount))
    guard !users.isEmpty else { return }
    writer.array("userInfo") { list in
      for user in users { list.object { user.writeMembers(to: &$0) } }
    }
  }
}
