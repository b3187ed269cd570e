public import GatehouseJSON

/// `accounts:delete`: one's own account by `idToken`, an administrator's by `localId`.
public struct DeleteRequest: WireRequest {
  public var idToken: String?
  public var localID: String?
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    localID = try fields.nonEmptyString("localId")
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

/// Holds its kind alone, which Google's own clients insist on.
public struct DeleteResponse: WireResponse {
  public init() {}

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#DeleteAccountResponse")
  }
}
