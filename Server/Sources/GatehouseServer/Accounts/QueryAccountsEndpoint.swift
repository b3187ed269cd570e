import GatehouseProtocol

/// `accounts:query`: counts accounts, finds one, or lists them in a chosen order.
struct QueryAccounts: Endpoint {
  let services: APIServices

  var routes: [Route] {
    ["v1/projects/*/accounts:query", "v1/projects/*:queryAccounts"].map {
      .administrator(.post, $0, "accounts.query", role: .viewer, answer)
    }
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(QueryAccountsRequest.self)
    let project = try call.requireProject()
    if let expression = request.expressions.first, !expression.isEmpty {
      let found = try await services.accounts.accounts(
        matching: [Self.selector(expression)].compactMap(\.self), in: project)
      return Self.answer(found, request)
    }
    guard request.returnsUserInfo else {
      let count = try await services.accounts.countAccounts(in: project)
      return Answer(QueryAccountsResponse(recordsCount: count, users: []))
    }
    let order = try Self.order(request)
    let limit = min(request.limit ?? Int64(AccountListLimits.page), Int64(AccountListLimits.page))
    let offset = request.offset ?? 0
    guard limit >= 0 else { throw APIError.invalidArgument("limit can't be negative.") }
    guard (0...Int64(AccountListLimits.offset)).contains(offset) else {
      throw APIError.invalidArgument(
        "offset has to be between 0 and \(AccountListLimits.offset): list more accounts with "
          + "accounts:batchGet.")
    }
    if limit == 0 { return Self.answer([], request) }
    let accounts = try await services.accounts.accounts(
      in: order, offset: Int(offset), limit: Int(limit), of: project)
    return Self.answer(accounts, request)
  }

  private static func answer(_ accounts: [Account], _ request: QueryAccountsRequest) -> Answer {
    Answer(
      QueryAccountsResponse(
        recordsCount: accounts.count,
        users: request.returnsUserInfo ? accounts.map { UserInfo($0) } : []))
  }

  /// Nil for a value that no account can have, and for an expression without a value.
  private static func selector(_ expression: QueryAccountsRequest.Expression) -> AccountSelector? {
    if let email = expression.email { return EmailAddress(email).map(AccountSelector.email) }
    if let number = expression.phoneNumber { return AccountSelector(phoneNumber: number) }
    return expression.userID.flatMap { UID($0) }.map(AccountSelector.uid)
  }

  private static func order(_ request: QueryAccountsRequest) throws(APIError) -> AccountOrder {
    var order = AccountOrder()
    if let sortBy = request.sortBy {
      guard let key = keys.first(where: { sortBy.names($0.name, $0.number) })?.key else {
        throw .invalidArgument("Invalid value at 'sortBy' (TYPE_ENUM)")
      }
      order.key = key
    }
    if let direction = request.order {
      order.isDescending = direction.names("DESC", 2)
      guard
        order.isDescending || direction.names("ASC", 1)
          || direction.names("ORDER_UNSPECIFIED", 0)
      else { throw .invalidArgument("Invalid value at 'order' (TYPE_ENUM)") }
    }
    return order
  }

  private static let keys: [(name: String, number: Int64, key: AccountOrder.Key)] = [
    ("SORT_BY_FIELD_UNSPECIFIED", 0, .uid), ("USER_ID", 1, .uid), ("NAME", 2, .displayName),
    ("CREATED_AT", 3, .createdAt), ("LAST_LOGIN_AT", 4, .lastLoginAt), ("USER_EMAIL", 5, .email),
  ]
}
