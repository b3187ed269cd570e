import GatehouseProtocol

/// `GET /emulator/v1/projects/{p}/oobCodes`: the codes that were sent and not used, for tests
/// without a mailbox.
struct ListOobCodes: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.developer(.get, "emulator/v1/projects/*/oobCodes", "emulator.oobCodes", answer)]
  }

  private static let maximumCount = 10_000

  func answer(_ call: Call) async throws -> Answer {
    let codes = try await services.accounts.listedActionCodes(
      limit: Self.maximumCount, in: try call.requireProject(), now: call.now)
    return Answer(
      OobCodesResponse(
        codes: codes.compactMap { code in
          guard let link = code.link?.reveal(),
            let text = FormFields(link.split(separator: "?").last ?? "")["oobCode"]
          else { return nil }
          return OobCodesResponse.Code(
            type: ActionCodeType(code.purpose), email: code.email.text,
            newEmail: code.newEmail?.text, code: text, link: link)
        }))
  }
}

/// `GET /emulator/v1/projects/{p}/oobCodes`: in `--dev`, the codes that haven't been used.
struct OobCodesResponse: WireResponse {
  var codes: [Code]

  init(codes: [Code]) { self.codes = codes }

  struct Code: Sendable {
    var type: ActionCodeType
    var email: String
    var newEmail: String?
    var code: String
    var link: String

    init(
      type: ActionCodeType, email: String, newEmail: String?, code: String, link: String
    ) {
      self.type = type
      self.email = email
      self.newEmail = newEmail
      self.code = code
      self.link = link
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
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
