import Foundation
import GatehouseProtocol

/// `POST accounts:search`: the accounts that have the words of a query and pass a filter.
struct SearchAccounts: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(
        .post, "v2/projects/*/accounts:search", "accounts.search", role: .viewer, answer)
    ]
  }

  func answer(_ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    try call.refuseUnknownMembers(SearchAccountsRequest.knownMembers)
    let request = try call.request(SearchAccountsRequest.self)
    let pageSize = request.pageSize ?? Int64(SearchLimits.defaultPage)
    guard (1...Int64(SearchLimits.page)).contains(pageSize) else {
      throw APIError.invalidArgument("pageSize is a number from 1 to \(SearchLimits.page).")
    }
    let search = AccountSearch(
      query: try Self.query(request.query), filter: try request.filter?.filter() ?? AccountFilter())
    let page = try await services.accounts.accounts(
      matching: search, pageSize: Int(pageSize), after: request.pageToken, in: project)
    return Answer(
      SearchAccountsResponse(
        users: try await services.administered(page.accounts, in: project),
        nextPageToken: page.nextPageToken))
  }

  private static func query(_ text: String?) throws(APIError) -> SearchQuery? {
    do throws(SearchQuery.Fault) {
      return try text.flatMap { text throws(SearchQuery.Fault) in try SearchQuery(text) }
    } catch {
      switch error {
      case .tooLong:
        throw .invalidArgument("query has at most \(SearchQuery.maximumBytes) bytes.")
      case .tooManyWords:
        throw .invalidArgument("query has at most \(SearchQuery.maximumWords) words.")
      }
    }
  }
}

/// `accounts:search`.
struct SearchAccountsRequest: WireRequest {
  var query: String?
  var filter: Filter?
  var pageSize: Int64?
  var pageToken: String?

  static let knownMembers = KnownMembers(
    ["query", "pageSize", "pageToken"]
      + [
        "providerIds", "disabled", "emailVerified", "createdAfter", "createdBefore",
        "signedInAfter", "signedInBefore", "hasSecondFactor", "claim.name", "claim.value",
        "deletionScheduled",
      ].map { "filter.\($0)" })

  init(_ fields: WireFields) throws(WireError) {
    query = try fields.nonEmptyString("query")
    filter = try fields.message("filter").map { fields throws(WireError) in try Filter(fields) }
    pageSize = try fields.int64("pageSize")
    pageToken = try fields.nonEmptyString("pageToken")
  }

  struct Filter: WireRequest {
    var providerIDs: [String]
    var disabled: Bool?
    var emailVerified: Bool?
    /// RFC 3339, as the three below.
    var createdAfter: String?
    var createdBefore: String?
    var signedInAfter: String?
    var signedInBefore: String?
    var hasSecondFactor: Bool?
    var claim: Claim?
    var deletionScheduled: Bool?

    init(_ fields: WireFields) throws(WireError) {
      providerIDs = try fields.strings("providerIds")
      disabled = try fields.bool("disabled")
      emailVerified = try fields.bool("emailVerified")
      createdAfter = try fields.nonEmptyString("createdAfter")
      createdBefore = try fields.nonEmptyString("createdBefore")
      signedInAfter = try fields.nonEmptyString("signedInAfter")
      signedInBefore = try fields.nonEmptyString("signedInBefore")
      hasSecondFactor = try fields.bool("hasSecondFactor")
      claim = try fields.message("claim").map { fields throws(WireError) in try Claim(fields) }
      deletionScheduled = try fields.bool("deletionScheduled")
    }
  }

  struct Claim: WireRequest {
    var name: String?
    /// A text, a number or a boolean.
    var value: JSONValue?

    init(_ fields: WireFields) throws(WireError) {
      name = try fields.nonEmptyString("name")
      value = fields.value("value")
    }
  }
}

extension SearchAccountsRequest.Filter {
  private static let maximumProviders = 10

  func filter() throws(APIError) -> AccountFilter {
    var filter = AccountFilter()
    guard providerIDs.count <= Self.maximumProviders else {
      throw .invalidArgument(
        "filter.providerIds has at most \(Self.maximumProviders) providers.")
    }
    for text in providerIDs {
      guard let provider = ProviderID(text) else {
        throw .invalidArgument("filter.providerIds holds provider ids such as google.com.")
      }
      filter.providers.append(provider)
    }
    filter.isDisabled = disabled
    filter.isEmailVerified = emailVerified
    filter.created = (
      try Self.time(createdAfter, "createdAfter"), try Self.time(createdBefore, "createdBefore")
    )
    filter.lastLogin = (
      try Self.time(signedInAfter, "signedInAfter"),
      try Self.time(signedInBefore, "signedInBefore")
    )
    filter.hasSecondFactor = hasSecondFactor
    filter.claim = try claim?.filter()
    filter.isDeletionScheduled = deletionScheduled
    return filter
  }

  private static func time(_ text: String?, _ name: String) throws(APIError) -> Date? {
    try Date(rfc3339: text, of: "filter.\(name)")
  }
}

extension SearchAccountsRequest.Claim {
  fileprivate func filter() throws(APIError) -> AccountFilter.Claim {
    guard let name, let value else {
      throw .invalidArgument("filter.claim needs a name and a value.")
    }
    switch value {
    case .bool, .number, .string: return AccountFilter.Claim(name: name, value: value)
    case .null, .array, .object:
      throw .invalidArgument("filter.claim.value is a text, a number or a boolean.")
    }
  }
}

struct SearchAccountsResponse: WireResponse {
  let users: [UserInfo]
  let nextPageToken: String?

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("users") { list in
      for user in users { list.object { user.writeMembers(to: &$0) } }
    }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}
