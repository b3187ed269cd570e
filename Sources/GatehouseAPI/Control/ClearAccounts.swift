import GatehouseAccounts
import GatehouseWire

/// `DELETE /emulator/v1/projects/{p}/accounts`: between two tests, a project without accounts.
struct ClearAccounts: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.development(.delete, "emulator/v1/projects/*/accounts", "emulator.clear", answer)]
  }

  func answer(_ call: Call) async throws -> Answer {
    try await services.accounts.deleteAllAccounts(in: try call.requireProject(), now: call.now)
    return Answer(EmptyResponse())
  }
}
