import Foundation
import Hummingbird

/// What `POST /apple/native-sign-in` takes. Only `client_id` is required.
struct AppleNativeSignInBody: RequestBodyMembers {
  static let members: Set<String> = [
    "client_id", "nonce", "person", "email", "scopes", "state", "faults",
  ]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  enum EmailChoice: String, Decodable {
    case share
    case hide
  }

  /// The app's bundle id.
  var client_id: String
  /// As the app puts it in its request, so usually hashed already. Goes into the token as it is.
  var nonce: String?
  var person: String?
  var email: EmailChoice?
  /// `name`, `email`; both if absent.
  var scopes: [String]?
  var state: String?
  /// Faults of this one sign-in, in place of those set for all.
  var faults: TokenFaults?

  /// - Throws: `invalid_request`.
  func approvalRequest() throws(SimulatorError) -> ApprovalRequest {
    guard !client_id.isEmpty else { throw .invalidRequest("\"client_id\" must not be empty.") }
    let scopes = scopes ?? ["name", "email"]
    for scope in scopes where scope != "name" && scope != "email" {
      throw .invalidRequest("\"scopes\" may have \"name\" and \"email\".")
    }
    return ApprovalRequest(
      provider: .apple, clientID: client_id, person: person,
      scopes: Set(scopes.map(Scope.init(rawValue:))), hidesEmail: email == .hide,
      nonce: nonce, faults: faults)
  }
}

extension AppleRoutes {
  /// `POST /apple/native-sign-in`: what the system's sheet does when the person agrees. The answer
  /// has the members of `ASAuthorizationAppleIDCredential`.
  func nativeSignIn(_ request: Request) async throws -> Response {
    let body: AppleNativeSignInBody = try await JSONDecoder.body(
      of: request, limit: store.configuration.limits.bodyBytes)
    let asked = try body.approvalRequest()
    let (now, baseURL) = (store.now, store.baseURL)
    let (signIn, idToken) = try store.withState { state in
      let signIn = try state.approveApple(asked, now: now)
      let contents = IDTokenContents(
        nonce: asked.nonce, code: signIn.approval.code,
        more: signIn.approval.isFirst
          ? ["real_user_status": .integer(signIn.approval.person.realUserStatus)] : [:])
      let idToken = try state.idToken(
        for: signIn.approval.grant, baseURL: baseURL, now: now, contents: contents,
        faults: asked.faults)
      return (signIn, idToken)
    }
    return try .json([
      "user": .string(signIn.user),
      "identityToken": .optional(try idToken?.signed()),
      "authorizationCode": .string(signIn.approval.code),
      "fullName": signIn.fullName,
      "email": .optional(signIn.email),
      "realUserStatus": signIn.approval.isFirst
        ? .integer(signIn.approval.person.realUserStatus) : .null,
      "state": .optional(body.state),
    ])
  }
}

extension AppleSignIn {
  /// `PersonNameComponents`, or null after the first time.
  fileprivate var fullName: JSONValue {
    guard name != nil else { return .null }
    return [
      "givenName": .optional(approval.person.givenName),
      "familyName": .optional(approval.person.familyName),
    ]
  }
}
