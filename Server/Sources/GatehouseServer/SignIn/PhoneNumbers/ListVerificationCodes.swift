import GatehouseProtocol

/// `GET /emulator/v1/projects/{p}/verificationCodes`: the codes that were sent and not used, for
/// tests without a phone.
struct ListVerificationCodes: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .developer(
        .get, "emulator/v1/projects/*/verificationCodes", "emulator.verificationCodes", answer)
    ]
  }

  private static let maximumCount = 10_000

  func answer(_ call: Call) async throws -> Answer {
    let verifications = try await services.accounts.listedPhoneVerifications(
      limit: Self.maximumCount, in: try call.requireProject(), now: call.now)
    return Answer(
      VerificationCodesResponse(
        codes: verifications.compactMap { verification in
          verification.revealed.map { revealed in
            VerificationCodesResponse.Code(
              phoneNumber: verification.phoneNumber.text,
              sessionInfo: revealed.sessionInfo.reveal(), code: revealed.code.reveal())
          }
        }))
  }
}
