public import GatehouseJSON

/// `accounts:delete`: a user deletes their own account with `idToken`, an administrator any account
/// with `localId`.
public struct DeleteRequest: WireMessage {
  public var idToken: String?
  public var localID: String?
  public var tenantID: String?

  /// A user's own account.
  public init(idToken: String) { self.idToken = idToken }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    localID = try fields.nonEmptyString("localId")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("localId", ifPresent: localID)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

/// Contains only its kind, which Google's clients require.
public struct DeleteResponse: WireResponse {
  public init() {}

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#DeleteAccountResponse")
  }
}
