import Foundation
import SimulatedDevice

/// A response of the simulated Apple to a device.
struct AppleAnswer {
  struct Name: Decodable {
    var givenName: String?
    var familyName: String?
  }

  var user: String
  var identityToken: Data?
  var authorizationCode: String?
  var fullName: Name?
  var email: String?
  var realUserStatus: Int?
  var state: String?

  private struct Body: Decodable {
    var user: String
    var identityToken: String?
    var authorizationCode: String?
    var fullName: Name?
    var email: String?
    var realUserStatus: Int?
    var state: String?
  }

  private struct Question: Encodable {
    struct Faults: Encodable { var setClaims: [String: String] }
    var client_id: String
    var person: String
    var email: String
    var nonce: String?
    var scopes: [String]
    var state: String?
    var faults: Faults?
  }

  /// The response of a sheet on which the user agreed.
  static func signIn(
    _ device: SimulatedDevice, nonce: String?, scopes: [ASAuthorization.Scope], state: String?
  ) async throws -> AppleAnswer {
    let question = Question(
      client_id: device.bundleID, person: device.person,
      email: device.hidesEmail ? "hide" : "share", nonce: nonce,
      scopes: scopes.map { $0 == .fullName ? "name" : $0.rawValue }, state: state,
      faults: device.sheetFault == .otherNonce ? .init(setClaims: ["nonce": "another"]) : nil)
    let reply = try await SimulatorCall.post("/apple/native-sign-in", json: question)
    guard reply.status == 200 else { throw ASAuthorizationError(.failed) }
    let body = try reply.decode(Body.self)
    var answer = AppleAnswer(
      user: body.user, identityToken: body.identityToken.map { Data($0.utf8) },
      authorizationCode: body.authorizationCode, fullName: body.fullName, email: body.email,
      realUserStatus: body.realUserStatus, state: body.state)
    switch device.sheetFault {
    case .noIdentityToken: answer.identityToken = nil
    case .identityTokenIsNotText: answer.identityToken = Data([0xFF, 0xFE])
    case .noAuthorizationCode: answer.authorizationCode = nil
    case .failed: throw ASAuthorizationError(.failed)
    case .otherNonce, nil: break
    }
    return answer
  }

  static func credentialState(of user: String) async throws
    -> ASAuthorizationAppleIDProvider.CredentialState
  {
    struct State: Decodable { var state: String }
    let client = SimulatorCall.escape(SimulatedDevice.current.bundleID)
    let reply = try await SimulatorCall.get(
      "/apple/credential-state?client_id=\(client)&user=\(SimulatorCall.escape(user))")
    switch try reply.decode(State.self).state {
    case "authorized": return .authorized
    case "revoked": return .revoked
    case "transferred": return .transferred
    default: return .notFound
    }
  }
}
