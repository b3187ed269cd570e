public import GatehouseJSON

/// `GET /emulator/v1/projects/{p}/oobCodes`: in `--dev`, the codes that haven't been used.
public struct OobCodesResponse: WireResponse {
  public var codes: [Code]

  public init(codes: [Code]) { self.codes = codes }

  public struct Code: Sendable {
    public var type: ActionCodeType
    public var email: String
    public var newEmail: String?
    public var code: String
    public var link: String

    public init(
      type: ActionCodeType, email: String, newEmail: String?, code: String, link: String
    ) {
      self.type = type
      self.email = email
      self.newEmail = newEmail
      self.code = code
      self.link = link
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.array("oobCodes") { list in
      for code in codes { list.object { code.write(to: &$0) } }
    }
  }
}

extension OobCodesResponse.Code {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("email", email)
    writer.member("requestType", type.name)
    writer.member("oobCode", code)
    writer.member("oobLink", link)
    writer.member("newEmail", ifPresent: newEmail)
  }
}
