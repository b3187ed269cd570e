import GatehouseProtocol

/// `accounts:delete` (v3 `deleteAccount`): deletes the user's own account; for an administrator,
/// any account.
struct Delete: Endpoint {
  let services: APIServices

  var routes: [Route] {
    Route.account("delete", v3: "deleteAccount", answer)
      + [
        .administrator(
          .post, "v1/projects/*/accounts:delete", "accounts.delete", role: .support,
          answer
        )
        .alsoOfClients
      ]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(DeleteRequest.self)
    let project = try call.requireProject()
    if call.isAdministrator {
      guard let localID = request.localID else { throw APIError.refused(.missingLocalID) }
      guard let uid = UID(localID) else { throw AccountsError.userNotFound }
      return try await answer(
        services.accounts.deleteAccount(uid, in: project, now: call.now))
    } else {
      guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
      return try await answer(
        services.accounts.delete(
          idToken: idToken, language: call.language, in: project, now: call.now))
    }
  }

  private func answer(_ done: (deletion: Deletion, receipt: String)) -> Answer {
    var response = DeleteResponse(receipt: done.receipt)
    if case .scheduled(let time) = done.deletion.state {
      response.deletionScheduledFor = UserInfo.milliseconds(time)
    }
    return Answer(response)
  }
}
