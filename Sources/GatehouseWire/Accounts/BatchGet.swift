public import GatehouseJSON

/// One page of a project's accounts.
public struct BatchGetResponse: WireResponse {
  public static let maximumPage = 1000
  public static let defaultPage = 20

  public var users: [UserInfo]
  public var nextPageToken: String?

  public init(users: [UserInfo], nextPageToken: String?) {
    self.users = users
    self.nextPageToken = nextPageToken
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#DownloadAccountResponse")
    if !users.isEmpty {
      writer.array("users") { list in
        for user in users { list.object { user.writeMembers(to: &$0) } }
      }
    }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}
