import GatehouseModel
import GatehouseWire

/// `GET /emulator/v1/projects/{p}/oobCodes`: the codes that were sent and not used, for tests
/// without a mailbox.
struct ListOobCodes: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.development(.get, "emulator/v1/projects/*/oobCodes", "emulator.oobCodes", answer)]
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
