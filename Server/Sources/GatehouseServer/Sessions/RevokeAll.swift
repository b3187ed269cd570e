import Foundation
import GatehouseProtocol

/// `accounts:revokeAll`: ends the sessions of all accounts of a project, some thousand in each request. An extension,
/// for administrators.
struct RevokeAll: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.administrator(.post, "v1/projects/*/accounts:revokeAll", "accounts.revokeAll", answer)]
  }

  /// How many accounts a request looks at.
  private static let maximum = 2000

  /// `startedBefore` is the time before which a session must have begun; without it, now. A request that continues
  /// another one must name the same time.
  func answer(_ call: Call) async throws -> Answer {
    var start = call.now
    if let text = try call.fields.nonEmptyString("startedBefore") {
      guard let time = Date(rfc3339: text), time <= call.now.addingTimeInterval(60) else {
        throw APIError.invalidArgument(
          "startedBefore is not an earlier time such as 2027-06-30T12:00:00Z.")
      }
      start = time
    }
    let token = try call.fields.nonEmptyString("pageToken")
    guard token.map({ UID($0) != nil }) ?? true else {
      throw APIError.refused(.invalidPageSelection)
    }
    let (count, next) = try await services.accounts.revokeSome(
      after: token.flatMap { UID($0) }, limit: Self.maximum, startedBefore: start,
      in: try call.requireProject(), now: call.now)
    return Answer(RevokeAllResponse(revoked: count, nextPageToken: next?.text))
  }
}

struct RevokeAllResponse: WireResponse {
  let revoked: Int
  let nextPageToken: String?

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("revoked", revoked)
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}
