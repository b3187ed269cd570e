import GatehouseProtocol

/// `accounts:query`.
struct QueryAccountsRequest: WireRequest {
  /// If false, the accounts are only counted.
  var returnsUserInfo: Bool
  /// More than a page counts as a page.
  var limit: Int64?
  var offset: Int64?
  var sortBy: WireEnumerator?
  var order: WireEnumerator?
  /// Only the first one is used.
  var expressions: [Expression]

  init(_ fields: WireFields) throws(WireError) {
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

  /// One of the three fields. If several are given, the first of them in this order is used. An empty
  /// expression selects every account, as in Google's service.
  struct Expression: WireRequest {
    var email: String?
    var phoneNumber: String?
    var userID: String?

    var isEmpty: Bool { email == nil && phoneNumber == nil && userID == nil }

    init(_ fields: WireFields) throws(WireError) {
      email = try fields.nonEmptyString("email")
      phoneNumber = try fields.nonEmptyString("phoneNumber")
      userID = try fields.nonEmptyString("userId")
    }
  }
}

struct QueryAccountsResponse: WireResponse {
  /// The number of returned accounts. If the request only counts, the number of matching accounts.
  var recordsCount: Int
  var users: [UserInfo]

  init(recordsCount: Int, users: [UserInfo]) {
    self.recordsCount = recordsCount
    self.users = users
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("recordsCount", String(recordsCount))
    guard !users.isEmpty else { return }
    writer.array("userInfo") { list in
      for user in users { list.object { user.writeMembers(to: &$0) } }
    }
  }
}
