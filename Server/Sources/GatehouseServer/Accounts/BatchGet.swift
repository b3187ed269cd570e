import Foundation
import GatehouseProtocol
import Logging

/// `GET accounts:batchGet`, and `downloadAccount` of v3: one page of the project's accounts, sorted
/// by id.
///
/// As in Google's service, the full role gets the password hashes, so that a team can leave with the list. To
/// any other role they are redacted, as in every look-up of an account.
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
    var users = try await services.administered(page.accounts, in: project)
    if call.role?.includes(.administrator) == true {
      let passwords = try await services.accounts.exportedPasswords(
        of: page.accounts, in: project)
      for (index, account) in page.accounts.enumerated() where users.indices.contains(index) {
        users[index].exportedPassword = passwords[account.uid].map { .init($0) }
      }
      if !passwords.isEmpty {
        call.logger.notice(
          "An administrator got password hashes with a list of accounts",
          metadata: ["accounts": "\(passwords.count)", "project": "\(project.id)"])
      }
    }
    return Answer(BatchGetResponse(users: users, nextPageToken: page.next?.text))
  }
}

extension UserInfo.ExportedPassword {
  fileprivate init(_ password: ExportedPassword) {
    self.init(
      hash: Data(password.digest).base64EncodedString(),
      salt: Data(password.salt).base64EncodedString(),
      parameters: HashParameters(password.scheme).json)
  }
}

/// One page of a project's accounts.
struct BatchGetResponse: WireResponse {
  static let maximumPage = 1000
  static let defaultPage = 20

  var users: [UserInfo]
  var nextPageToken: String?

  init(users: [UserInfo], nextPageToken: String?) {
    self.users = users
    self.nextPageToken = nextPageToken
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#DownloadAccountResponse")
    if !users.isEmpty {
      writer.array("users") { list in
        for user in users { list.object { user.writeMembers(to: &$0) } }
      }
    }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}
