import Foundation
import Hummingbird

/// The body of `POST /apple/native-sign-in`. Only `client_id` is required.
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
  /// The nonce of the app's request, usually already hashed. The token contains it unchanged.
  var nonce: String?
  var person: String?
  var email: EmailChoice?
  /// `name`, `email`; the default is both.
  var scopes: [String]?
  var state: String?
  /// Faults for this sign-in only. They replace the provider's.
  var faults: TokenFaults?

  /// - Throws: `invalid_request`.
  func approvalRequest() throws(SimulatorError) -> ApprovalRequest {
    guard !client_id.isEmpty else { throw .invalidRequest("\"client_id\" must not be empty.") }
    let scopes = scopes ?? ["name", "email"]
    for scope in scopes where scope != "name" && scope != "email" {
      throw .invalidRequest("\"scopes\" may contain only \"name\" and \"email\".")
    }
    return ApprovalRequest(
      provider: .apple, clientID: client_id, person: person,
      scopes: Set(scopes.map(Scope.init(rawValue:))), hidesEmail: email.map { $0 == .hide },
      nonce: nonce, faults: faults)
  }
}

extension AppleRoutes {
  /// `POST /apple/native-sign-in`: the result of the system's sheet when the person agrees. The
  /// response has the members of `ASAuthorizationAppleIDCredential`.
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
  /// `PersonNameComponents`; null after the first sign-in.
  fileprivate var fullName: JSONValue {
    guard name != nil else { return .null }
    return [
      "givenName": .optional(approval.person.givenName),
      "familyName": .optional(approval.person.familyName),
    ]
  }
}
