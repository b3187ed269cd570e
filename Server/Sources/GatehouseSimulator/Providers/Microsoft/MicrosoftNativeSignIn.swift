import Foundation
import Hummingbird

/// The body of `POST /microsoft/native-sign-in`. Only `client_id` is required.
struct MicrosoftNativeSignInBody: RequestBodyMembers {
  static let members: Set<String> = [
    "client_id", "tenant", "nonce", "person", "scopes", "faults",
  ]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var client_id: String
  /// `common`, `organizations`, `consumers` or a tenant's id; the default is `common`.
  var tenant: String?
  /// The token contains it unchanged.
  var nonce: String?
  var person: String?
  /// `openid`, `profile`, `email`; the default is all of them.
  var scopes: [String]?
  /// Faults for this sign-in only. They replace the provider's.
  var faults: TokenFaults?
}

extension MicrosoftRoutes {
  /// Returns what Microsoft's SDK (MSAL) gives an app when a user signs in: the members of
  /// `MSALResult`.
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
      throw SimulatorError.invalidRequest("\"scopes\" must contain \"openid\".")
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
