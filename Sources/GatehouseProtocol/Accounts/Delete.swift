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

/// Google's clients require `kind`. The other members are extensions.
public struct DeleteResponse: WireMessage {
  /// A signed JWT that states what was erased, without personal data.
  public var receipt: String?
  /// When the account is erased, unless its user signs in before. Milliseconds since 1970; nil if it
  /// is erased already.
  public var deletionScheduledFor: Int64?

  public init(receipt: String? = nil, deletionScheduledFor: Int64? = nil) {
    self.receipt = receipt
    self.deletionScheduledFor = deletionScheduledFor
  }

  public init(_ fields: WireFields) throws(WireError) {
    receipt = try fields.nonEmptyString("receipt")
    deletionScheduledFor = try fields.int64("deletionScheduledFor")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#DeleteAccountResponse")
    writer.member("receipt", ifPresent: receipt)
    writer.member("deletionScheduledFor", ifPresent: deletionScheduledFor.map(String.init))
  }
}
