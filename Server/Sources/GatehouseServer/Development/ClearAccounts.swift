import GatehouseProtocol

/// `DELETE /emulator/v1/projects/{p}/accounts`: removes all accounts of a project, for use between
/// tests.
struct ClearAccounts: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.developer(.delete, "emulator/v1/projects/*/accounts", "emulator.clear", answer)]
  }

  func answer(_ call: Call) async throws -> Answer {
    try await services.accounts.deleteAllAccounts(in: try call.requireProject(), now: call.now)
    return Answer(EmptyResponse())
  }
}
