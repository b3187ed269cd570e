import Foundation
import Hummingbird

/// What `POST /<provider>/native-sign-in` takes. Only `client_id` is
/// required.
struct OpenIDNativeSignInBody: RequestBodyMembers {
  static let members: Set<String> = [
    "client_id", "server_client_id", "nonce", "own_nonce", "person", "scopes", "faults",
  ]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var client_id: String
  /// The server's client id, for which Google's SDKs ask for the ID token and the code.
  var server_client_id: String?
  /// As the app gives it to the SDK. Goes into the token as it is.
  var nonce: String?
  /// Where the SDK makes nonces: whether it puts a nonce of its own into the token where the app gives none.
  /// GoogleSignIn for iOS does, and that is the default; Android's older SDK doesn't.
  var own_nonce: Bool?
  var person: String?
  /// `openid`, `email`, `profile`; all of them if absent.
  var scopes: [String]?
  /// Faults of this one sign-in, in place of those set for all.
  var faults: TokenFaults?

  /// - Throws: `invalid_request`.
  func approvalRequest(
    _ provider: Provider, _ kind: any OpenIDKind
  ) throws(SimulatorError) -> ApprovalRequest {
    guard !client_id.isEmpty else { throw .invalidRequest("\"client_id\" must not be empty.") }
    guard server_client_id?.isEmpty != true else {
      throw .invalidRequest("\"server_client_id\" must not be empty.")
    }
    let scopes = Scope.parse(scopes?.joined(separator: " ") ?? "openid email profile")
    guard scopes.contains(.openid) else {
      throw .invalidRequest("\"scopes\" must have \"openid\".")
    }
    let ofSDK = kind.nonceOfSDK()
    guard own_nonce == nil || ofSDK != nil else {
      throw .invalidRequest("\"own_nonce\" is for a provider whose SDK makes nonces: Google.")
    }
    return ApprovalRequest(
      provider: provider, clientID: client_id, serverClientID: server_client_id, person: person,
      scopes: scopes.intersection(kind.scopes),
      nonce: nonce ?? (own_nonce != false ? ofSDK : nil),
      // An app gets a refresh token at every sign-in, not only at the first.
      wantsRefreshToken: true, promptsConsent: true, faults: faults)
  }
}

extension OpenIDEndpoints {
  /// What the provider's SDK gives an app when somebody signs in, without a browser.
  ///
  /// The `serverAuthCode` is for the app's server to exchange, without a `redirect_uri`. Google's SDK
  /// asks for one only where the app names its server.
  func nativeSignIn(_ request: Request) async throws -> Response {
    let body: OpenIDNativeSignInBody = try await JSONDecoder.body(
      of: request, limit: store.configuration.limits.bodyBytes)
    let asked = try body.approvalRequest(provider, kind)
    let (now, baseURL) = (store.now, store.baseURL)
    let (approval, answer) = try store.withState { state in
      let approval = try state.approve(asked, now: now)
      let answer = try state.issueTokens(
        for: approval.grant, baseURL: baseURL, now: now, faults: asked.faults)
      return (approval, answer)
    }
    return try .json([
      "idToken": .optional(try answer.idToken?.signed()),
      "accessToken": .string(answer.accessToken),
      "refreshToken": .optional(answer.refreshToken),
      "serverAuthCode": kind.givesCodesToNamedServersOnly && asked.serverClientID == nil
        ? .null : .string(approval.code),
      "expiresIn": kind.accessTokenLifetime.map(JSONValue.integer) ?? .null,
    ])
  }
}
