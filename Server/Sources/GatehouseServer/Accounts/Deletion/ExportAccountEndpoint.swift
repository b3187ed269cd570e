import GatehouseProtocol
import HTTPTypes

/// `accounts:export`: the user's account with its identities, live sessions, consents and latest
/// events, as a JSON document without secrets; for an administrator, any account. `AccountExport`
/// says what the document leaves out.
///
/// A user sends the ID token as the bearer token of a `GET`, or as `idToken` of a `POST`. The
/// user's sign-in must be recent.
struct ExportAccount: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .user(.get, "v1/accounts:export", "export", ofBearer),
      .client(.post, "v1/accounts:export", "export", ofBody),
      .administrator(
        .get, "v1/projects/*/accounts:export", "accounts.export", role: .viewer, ofAnyone),
    ]
  }

  func ofBearer(_ call: Call) async throws -> Answer {
    guard
      let idToken = CallerIdentification.bearer(call.head.headerFields[.authorization])
    else { throw APIError.refused(.missingIDToken) }
    return try await own(idToken, call)
  }

  func ofBody(_ call: Call) async throws -> Answer {
    guard let idToken = try call.request(ExportRequest.self).idToken else {
      throw APIError.refused(.missingIDToken)
    }
    return try await own(idToken, call)
  }

  private func own(_ idToken: String, _ call: Call) async throws -> Answer {
    Self.answer(
      try await services.accounts.export(
        idToken: idToken, in: try call.requireProject(), now: call.now))
  }

  func ofAnyone(_ call: Call) async throws -> Answer {
    guard let localID = call.parameters.string("localId"), !localID.isEmpty else {
      throw APIError.refused(.missingLocalID)
    }
    guard let uid = UID(localID) else { throw AccountsError.userNotFound }
    return Self.answer(
      try await services.accounts.exportAccount(
        uid, in: try call.requireProject(), now: call.now))
  }

  private static func answer(_ export: AccountExport) -> Answer {
    var answer = Answer(json: export.json)
    answer.headers[.contentDisposition] = "attachment; filename=\"account.json\""
    return answer
  }
}
