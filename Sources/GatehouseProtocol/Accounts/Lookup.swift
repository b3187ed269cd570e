/// `accounts:lookup`, and `getAccountInfo` of v3: a user's own account by `idToken` or
/// `sessionCookie`; any account for an administrator, by the other fields.
public struct LookupRequest: WireMessage {
  /// An empty text is an invalid token, not an absent one.
  public var idToken: String?
  /// An extension: the protocol has no method that checks whether a cookie's session is still
  /// valid.
  public var sessionCookie: String?
  public var localIDs: [String] = []
  public var emails: [String] = []
  public var phoneNumbers: [String] = []
  public var federatedUserIDs: [ProviderUserInfo] = []
  public var tenantID: String?

  /// A user's own account.
  public init(idToken: String) { self.idToken = idToken }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.string("idToken")
    sessionCookie = try fields.nonEmptyString("sessionCookie")
    localIDs = try fields.strings("localId")
    emails = try fields.strings("email")
    phoneNumbers = try fields.strings("phoneNumber")
    federatedUserIDs = []
    for message in try fields.messages("federatedUserId") {
      federatedUserIDs.append(try ProviderUserInfo(message))
    }
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("sessionCookie", ifPresent: sessionCookie)
    if !localIDs.isEmpty { writer.member("localId", localIDs) }
    if !emails.isEmpty { writer.member("email", emails) }
    if !phoneNumbers.isEmpty { writer.member("phoneNumber", phoneNumbers) }
    if !federatedUserIDs.isEmpty {
      writer.array("federatedUserId") { list in
        for id in federatedUserIDs { list.object { id.writeMembers(to: &$0) } }
      }
    }
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct LookupResponse: WireMessage {
  public var users: [UserInfo]

  public init(users: [UserInfo]) { self.users = users }

  public init(_ fields: WireFields) throws(WireError) {
    users = []
    for user in try fields.messages("users") { users.append(try UserInfo(user)) }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#GetAccountInfoResponse")
    if !users.isEmpty {
      writer.array("users") { list in
        for user in users { list.object { user.writeMembers(to: &$0) } }
      }
    }
  }
}
