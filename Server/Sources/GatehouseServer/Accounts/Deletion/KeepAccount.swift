import GatehouseProtocol

/// `accounts:keep`: withdraws the deletion of an account in its grace period. Its user has to sign in again. An
/// extension, for administrators.
struct KeepAccount: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(
        .post, "v1/projects/*/accounts:keep", "accounts.keep", role: .support, answer)
    ]
  }

  func answer(_ call: Call) async throws -> Answer {
    guard let text = try call.fields.nonEmptyString("localId") else {
      throw APIError.refused(.missingLocalID)
    }
    guard let uid = UID(text) else { throw AccountsError.userNotFound }
    let isKept = try await services.accounts.keepScheduledAccount(
      uid, in: try call.requireProject(),
      now: call.now)
    guard isKept else { throw APIError.notFound("The account is not going to be deleted.") }
    return Answer(EmptyResponse())
  }
}
