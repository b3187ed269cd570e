/// `accounts:signInWithIdp`, and `verifyAssertion` of v3.
public struct SignInWithIdpRequest: WireMessage {
  /// Read by ``RequestURI``.
  public var requestURI: String?
  /// Read and written by ``PostBody``.
  public var postBody: String?
  public var sessionID: String?
  public var pendingToken: String?
  /// An ID token of this server: the identity is linked to its account.
  public var idToken: String?
  public var returnsIdpCredential = false
  /// False only to re-authenticate: an unknown identity then creates no account.
  public var autoCreate = true
  /// An extension: ``create``, or ``ask`` to be told of a new identity before an account is created.
  public var ifNew: String?
  public var consent: ConsentMessage?
  public var tenantID: String?

  public static let create = "create"
  public static let ask = "ask"

  public init(requestURI: String, postBody: String) {
    self.requestURI = requestURI
    self.postBody = postBody
  }

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
    consent = try ConsentMessage.read(from: fields)
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("requestUri", ifPresent: requestURI)
    writer.member("pendingToken", ifPresent: pendingToken)
    writer.member("postBody", ifPresent: postBody)
    writer.member("sessionId", ifPresent: sessionID)
    writer.member("returnSecureToken", true)
    if returnsIdpCredential { writer.member("returnIdpCredential", true) }
    writer.member("ifNew", ifPresent: ifNew)
    writer.member("idToken", ifPresent: idToken)
    if !autoCreate { writer.member("autoCreate", false) }
    consent?.write(to: &writer)
    writer.member("tenantId", ifPresent: tenantID)
  }
}
