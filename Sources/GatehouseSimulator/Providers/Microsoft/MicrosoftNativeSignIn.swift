import Foundation
import Hummingbird

/// What `POST /microsoft/native-sign-in` takes. Only `client_id` is required.
struct MicrosoftNativeSignInBody: RequestBodyMembers {
  static let members: Set<String> = [
    "client_id", "tenant", "nonce", "person", "scopes", "faults",
  ]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var client_id: String
  /// `common`, `organizations`, `consumers` or a tenant's id; `common` if absent.
  var tenant: String?
  /// Goes into the token as it is.
  var nonce: String?
  var person: String?
  /// `openid`, `profile`, `email`; all of them if absent.
  var scopes: [String]?
  /// Faults of this one sign-in, in place of those set for all.
  var faults: TokenFaults?
}

extension MicrosoftRoutes {
  /// What Microsoft's SDK (MSAL) gives an app when a user signs in: the members of `MSALResult`.
  func nativeSignIn(_ request: Request) async throws -> Response {
    let body: MicrosoftNativeSignInBody = try await JSONDecoder.body(
      of: request, limit: store.configuration.limits.bodyBytes)
    guard !body.client_id.isEmpty else {
      throw SimulatorError.invalidRequest("\"client_id\" must not be empty.")
    }
    let authority = try authority(body.tenant ?? "common")
    let scopes = MicrosoftScopes.parse(
      (body.scopes ?? ["openid", "profile", "email"]).joined(separator: " "))
    guard scopes.contains(.openid) else {
      throw SimulatorError.invalidRequest("\"scopes\" must have \"openid\".")
    }
    let (now, baseURL) = (store.now, store.baseURL)
    let (user, answer) = try store.withState { state in
      let (person, user) = try state.microsoftUser(body.person, at: authority)
      var asked = ApprovalRequest(
        provider: .microsoft, clientID: body.client_id, person: person.id, scopes: scopes,
        nonce: body.nonce, faults: body.faults)
      asked.details = ["tid": user.tenant.id]
      let approval = try state.approve(asked, now: now)
      let answer = try state.issueTokens(
        for: approval.grant, baseURL: baseURL, now: now, faults: body.faults)
      return (user, answer)
    }
    return try .json([
      "idToken": .optional(try answer.idToken?.signed()),
      "accessToken": .string(answer.accessToken),
      "expiresIn": answer.expiresIn.map(JSONValue.integer) ?? .null,
      "tenantId": .string(user.tenant.id), "username": .string(user.username),
      "homeAccountId": .string("\(user.objectID).\(user.tenant.id)"),
    ])
  }
}
