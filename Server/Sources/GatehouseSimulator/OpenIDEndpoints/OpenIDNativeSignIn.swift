import Foundation
import Hummingbird

/// The body of `POST /<provider>/native-sign-in`. Only `client_id` is required.
struct OpenIDNativeSignInBody: RequestBodyMembers {
  static let members: Set<String> = [
    "client_id", "server_client_id", "nonce", "own_nonce", "person", "scopes", "faults",
  ]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var client_id: String
  /// The server's client id. Google's SDKs request the ID token and the code for it.
  var server_client_id: String?
  /// The nonce that the app gives to the SDK. The token contains it unchanged.
  var nonce: String?
  /// For a provider whose SDK creates nonces: whether the SDK adds its own nonce if the app gives
  /// none. GoogleSignIn for iOS does, which is the default; Android's older SDK doesn't.
  var own_nonce: Bool?
  var person: String?
  /// `openid`, `email`, `profile`; the default is all of them.
  var scopes: [String]?
  /// Faults for this sign-in only. They replace the provider's.
  var faults: TokenFaults?

  /// - Throws: `invalid_request`, `invalid_scope`.
  func approvalRequest(
    _ provider: Provider, _ kind: any OpenIDKind
  ) throws(SimulatorError) -> ApprovalRequest {
    guard !client_id.isEmpty else { throw .invalidRequest("\"client_id\" must not be empty.") }
    guard server_client_id?.isEmpty != true else {
      throw .invalidRequest("\"server_client_id\" must not be empty.")
    }
    let scopes = Scope.parse(scopes?.joined(separator: " ") ?? "openid email profile")
    guard scopes.contains(.openid) else {
      throw .invalidRequest("\"scopes\" must contain \"openid\".")
    }
    try kind.checkScopes(scopes)
    let ofSDK = kind.nonceOfSDK()
    guard own_nonce == nil || ofSDK != nil else {
      throw .invalidRequest("\"own_nonce\" needs a provider whose SDK creates nonces: Google.")
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
  /// Returns what the provider's SDK gives an app when a person signs in without a browser.
  ///
  /// The app's server exchanges the `serverAuthCode`, without a `redirect_uri`. Google's SDK gets
  /// one only if the app names its server.
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
