import Foundation
import Hummingbird

/// The body of `POST /github/native-sign-in`. Only `client_id` is required.
struct GitHubNativeSignInBody: RequestBodyMembers {
  static let members: Set<String> = ["client_id", "person", "scopes", "faults"]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var client_id: String
  var person: String?
  /// The default is `["read:user", "user:email"]`; for a GitHub App none.
  var scopes: [String]?
  /// Faults for this sign-in only. They replace the provider's.
  var faults: TokenFaults?
}

extension GitHubRoutes {
  /// Returns an access token without a browser, as the device flow gives one to an app. GitHub has
  /// no SDK for signing in.
  func nativeSignIn(_ request: Request) async throws -> Response {
    let body: GitHubNativeSignInBody = try await JSONDecoder.body(
      of: request, limit: store.configuration.limits.bodyBytes)
    guard !body.client_id.isEmpty else {
      throw SimulatorError.invalidRequest("\"client_id\" must not be empty.")
    }
    let isGitHubApp = store.withState { $0.gitHubPermissions(of: body.client_id) } != nil
    guard !isGitHubApp || body.scopes == nil else {
      throw SimulatorError.invalidRequest(
        "The client is a GitHub App: it has \"permissions\" in place of \"scopes\".")
    }
    let scopes = GitHubScopes.parse(
      (body.scopes ?? (isGitHubApp ? [] : ["read:user", "user:email"])).joined(separator: " "))
    let asked = ApprovalRequest(
      provider: .github, clientID: body.client_id, person: body.person, scopes: scopes,
      faults: body.faults)
    let now = store.now
    let (approval, token) = try store.withState { state throws(SimulatorError) in
      let approval = try state.approve(asked, now: now)
      let token = state.issueGitHubToken(for: approval.grant, now: now, faults: body.faults)
      return (approval, token)
    }
    return try .json([
      "accessToken": .string(token), "tokenType": "bearer",
      "scope": .string(Self.list(approval.grant.scopes, ",")),
      "id": .integer(GitHubUser(approval.person).id),
      "login": .string(GitHubUser(approval.person).login),
    ])
  }
}
