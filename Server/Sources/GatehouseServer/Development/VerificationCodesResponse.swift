import GatehouseProtocol

/// `GET /emulator/v1/projects/{p}/verificationCodes`: in `--dev`, the codes that haven't been used.
struct VerificationCodesResponse: WireResponse {
  var codes: [Code]

  init(codes: [Code]) { self.codes = codes }

  struct Code: Sendable {
    var phoneNumber: String
    var sessionInfo: String
    var code: String

    init(phoneNumber: String, sessionInfo: String, code: String) {
      self.phoneNumber = phoneNumber
      self.sessionInfo = sessionInfo
      self.code = code
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("verificationCodes") { list in
      for code in codes {
        list.object { object in
          object.member("phoneNumber", code.phoneNumber)
          object.member("sessionInfo", code.sessionInfo)
          object.member("code", code.code)
        }
      }
    }
  }
}
