/// `v2/accounts/recoveryCodes:create`, an extension: creates recovery codes, which replace the ones
/// that the account has.
public struct CreateRecoveryCodesRequest: WireMessage {
  public var idToken: String?

  public init(idToken: String) { self.idToken = idToken }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
  }
}

public struct CreateRecoveryCodesResponse: WireMessage {
  /// Each can be used once. The server stores no code that it could show again.
  public var recoveryCodes: [String]

  public init(_ recoveryCodes: [String]) { self.recoveryCodes = recoveryCodes }

  public init(_ fields: WireFields) throws(WireError) {
    recoveryCodes = try fields.strings("recoveryCodes")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("recoveryCodes", recoveryCodes)
  }
}
