/// `accounts:export` of the user's own account: an extension.
public struct ExportRequest: WireMessage {
  public var idToken: String?

  public init(idToken: String) { self.idToken = idToken }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
  }
}

/// The document, as the server wrote it: see `docs/guides/account-deletion.md`.
public struct ExportResponse: WireMessage {
  private let object: JSONObject

  /// The document as JSON text.
  public var document: [UInt8] { object.serialized() }

  public init(_ object: JSONObject) { self.object = object }

  public init(_ fields: WireFields) throws(WireError) { object = fields.object }

  public func writeMembers(to writer: inout JSONWriter) {
    for member in object.members { writer.member(member.name, member.value) }
  }
}
