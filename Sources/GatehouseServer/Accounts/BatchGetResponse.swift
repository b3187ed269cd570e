import GatehouseJSON
import GatehouseWire

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
