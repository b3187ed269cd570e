/// `accounts:signInWithIdp`, and `verifyAssertion` of v3.
public struct SignInWithIdpRequest: WireRequest {
  public var requestURI: String?
  public var postBody: String?
  public var sessionID: String?
  public var pendingToken: String?
  /// An ID token of this server: the identity is linked to its account.
  public var idToken: String?
  public var returnsIdpCredential: Bool
  /// False only to re-authenticate: an unknown identity then creates no account.
  public var autoCreate: Bool
  /// An extension: `create`, or `ask` to be told of a new identity before an account is created.
  public var ifNew: String?
  public var consent: ConsentMessage?
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    requestURI = try fields.nonEmptyString("requestUri")
    postBody = try fields.nonEmptyString("postBody")
    sessionID = try fields.nonEmptyString("sessionId")
    if let token = try fields.nonEmptyString("pendingToken") {
      pendingToken = token
    } else {
      pendingToken = try fields.nonEmptyString("pendingIdToken")
    }
    idToken = try fields.nonEmptyString("idToken")
    returnsIdpCredential = try fields.bool("returnIdpCredential") ?? false
    autoCreate = try fields.bool("autoCreate") ?? true
    ifNew = try fields.nonEmptyString("ifNew")
    consent = try fields.message("consent").map { (message) throws(WireError) in
      try ConsentMessage(message)
    }
    tenantID = try fields.nonEmptyString("tenantId")
  }
}
