import GatehouseAccounts
import GatehouseModel
import GatehouseWire

/// `GET accounts:batchGet`, and `downloadAccount` of v3: one page of the project's accounts, sorted
/// by id.
///
/// Password hashes are redacted, as for a Google administrator without permission to read them. The
/// operator's `gatehouse export` has them.
struct BatchGet: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(
        .get, "v1/projects/*/accounts:batchGet", "accounts.batchGet", role: .viewer, answer),
      .administrator(
        .post, "relyingparty/downloadAccount", "accounts.batchGet", role: .viewer, legacy),
    ]
  }

  func answer(_ call: Call) async throws -> Answer {
    try await page(
      call.parameters.int64("maxResults"), after: call.parameters.string("nextPageToken"), call)
  }

  /// The same, with the parameters in a body, as `firebase auth:export` sends it.
  func legacy(_ call: Call) async throws -> Answer {
    try await page(
      call.fields.int64("maxResults"), after: call.fields.string("nextPageToken"), call)
  }

  private func page(
    _ maxResults: Int64?, after token: String?, _ call: Call
  ) async throws -> Answer {
    let asked = maxResults.map { Int(clamping: $0) } ?? BatchGetResponse.defaultPage
    if asked == 0 { return Answer(BatchGetResponse(users: [], nextPageToken: nil)) }
    let after = token.flatMap { $0.isEmpty ? nil : $0 }
    let project = try call.requireProject()
    let page = try await services.accounts.accounts(
      after: try after.map { text throws(APIError) in
        guard let uid = UID(text) else { throw .refused(.invalidPageSelection) }
        return uid
      },
      pageSize: min(max(asked, 1), BatchGetResponse.maximumPage), in: project)
    return Answer(
      BatchGetResponse(
        users: try await services.administered(page.accounts, in: project),
        nextPageToken: page.next?.text))
  }
}
