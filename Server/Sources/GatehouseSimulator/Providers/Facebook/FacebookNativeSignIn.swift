import Foundation
import Hummingbird

/// The body of `POST /facebook/native-sign-in`. Only `client_id` is required.
struct FacebookNativeSignInBody: RequestBodyMembers {
  static let members: Set<String> = [
    "client_id", "person", "permissions", "tracking", "nonce", "faults",
  ]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  /// `LoginTracking` of Facebook's SDK: with `limited` the app gets no access token.
  enum Tracking: String, Decodable {
    case enabled
    case limited
  }

  /// The app id.
  var client_id: String
  var person: String?
  /// `public_profile`, `email`; the default is both.
  var permissions: [String]?
  /// The default is `enabled`.
  var tracking: Tracking?
  /// The nonce that the app gives to the SDK, usually already hashed. The token contains it
  /// unchanged. Facebook's SDK creates one if the app gives none.
  var nonce: String?
  /// Faults for this sign-in only. They replace the provider's.
  var faults: TokenFaults?

  var isLimited: Bool { tracking == .limited }

  /// - Throws: `invalid_request`.
  func approvalRequest() throws(SimulatorError) -> ApprovalRequest {
    guard !client_id.isEmpty else { throw .invalidRequest("\"client_id\" must not be empty.") }
    let permissions = permissions ?? ["public_profile", "email"]
    for permission in permissions where permission != "public_profile" && permission != "email" {
      throw .invalidRequest("\"permissions\" may contain only \"public_profile\" and \"email\".")
    }
    return ApprovalRequest(
      provider: .facebook, clientID: client_id, person: person,
      scopes: FacebookClaims.scopes(permissions.joined(separator: ",")).union([.openid]),
      nonce: nonce ?? UUID().uuidString, faults: faults)
  }
}

extension FacebookRoutes {
  /// Limited Login's own issuer (Meta, "Validating the Limited Login OIDC token").
  private static let limitedIssuer = "https://limited.facebook.com"

  /// Returns what Facebook's SDK gives an app when a person signs in: the members of `AccessToken`
  /// and `AuthenticationToken`.
  func nativeSignIn(_ request: Request) async throws -> Response {
    let body: FacebookNativeSignInBody = try await JSONDecoder.body(
      of: request, limit: store.configuration.limits.bodyBytes)
    let asked = try body.approvalRequest()
    let (now, baseURL) = (store.now, store.baseURL)
    let (grant, accessToken, idToken) = try store.withState { state in
      let grant = try state.approve(asked, now: now).grant
      let contents = IDTokenContents(
        nonce: asked.nonce, issuer: body.isLimited ? Self.limitedIssuer : nil)
      let idToken = try state.idToken(
        for: grant, baseURL: baseURL, now: now, contents: contents, faults: asked.faults)
      let accessToken = state.issueAccessToken(for: grant, now: now, faults: asked.faults)
      return (grant, accessToken, idToken)
    }
    return try .json([
      "userID": .string(FacebookClaims.userID(of: grant.personID, app: grant.clientID)),
      "accessToken": body.isLimited ? .null : .string(accessToken),
      "authenticationToken": .optional(try idToken?.signed()),
      "nonce": .optional(asked.nonce),
      "grantedPermissions": .strings(
        FacebookClaims.permissions(of: grant.scopes.subtracting([.openid]))),
      "expiresIn": .integer(FacebookProvider.accessTokenLifetime),
    ])
  }
}
