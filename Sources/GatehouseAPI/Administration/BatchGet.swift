import GatehouseAccounts
import GatehouseModel
import GatehouseWire

/// `GET accounts:batchGet`: a page of the project's accounts in the order of their ids.
struct BatchGet: Sendable {
  let services: APIServices

  func answer(_ call: Call) async throws -> Answer {
    let asked =
      try call.parameters.int64("maxResults").map { Int(clamping: $0) }
      ?? BatchGetResponse.defaultPage
    let after = call.parameters.string("nextPageToken").flatMap { $0.isEmpty ? nil : $0 }
    let project = try call.requireProject()
    let page = try await services.accounts.accounts(
      after: try after.map { text throws(APIError) in
        guard let uid = UID(text) else { throw .refused("INVALID_PAGE_SELECTION") }
        return uid
      },
      pageSize: min(max(asked, 1), BatchGetResponse.maximumPage), in: project)
    return Answer(
      BatchGetResponse(
        users: try await services.administered(page.accounts, in: project),
        nextPageToken: page.next?.text))
  }
}
