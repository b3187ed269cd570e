import Foundation
import GatehouseProtocol

@testable import GatehouseServer

extension World {
  static let passkeyOrigin = "http://localhost:5173"

  /// Adds a passkey, or without an ID token creates an account with one.
  @discardableResult
  func enroll(
    _ authenticator: Authenticator, _ idToken: String?, email address: String? = nil,
    flags: AuthenticatorData.Flags = [.userPresent, .userVerified], counter: UInt32 = 0,
    in project: Project? = nil
  ) async throws -> (signedIn: SignedIn, passkey: Passkey) {
    let project = project ?? self.project
    let options =
      if let idToken {
        try await accounts.startPasskeyEnrollment(
          by: .session(idToken: idToken), in: project, now: now)
      } else {
        try accounts.startPasskeySignUp(
          email: try address.map { try email($0) }, displayName: "Ada", in: project, now: now)
      }
    let (result, passkey) = try await accounts.finish(
      enrollment(authenticator, options, flags: flags, counter: counter),
      by: idToken.map { .session(idToken: $0) }, in: project, now: now)
    return (try result.signedIn(), passkey)
  }

  func enrollment(
    _ authenticator: Authenticator, _ options: StartPasskeyEnrollmentResponse,
    flags: AuthenticatorData.Flags = [.userPresent, .userVerified], counter: UInt32 = 0,
    origin: String = passkeyOrigin
  ) -> PasskeyEnrollment {
    var enrollment = PasskeyEnrollment(
      credentialID: authenticator.credentialID,
      clientDataJSON: Authenticator.clientData(
        "webauthn.create", options.challenge, origin: origin),
      attestationObject: authenticator.attestationObject(
        relyingPartyID: options.relyingPartyID, flags: flags, counter: counter),
      transports: ["internal", "hybrid", "Invalid!"])
    enrollment.name = "Key"
    return enrollment
  }

  func assertion(
    _ authenticator: Authenticator, _ options: StartPasskeySignInResponse, userHandle: [UInt8]?,
    flags: AuthenticatorData.Flags = [.userPresent, .userVerified], counter: UInt32 = 0,
    origin: String = passkeyOrigin, type: String = "webauthn.get"
  ) throws -> PasskeyAssertion {
    let clientData = Authenticator.clientData(type, options.challenge, origin: origin)
    let (data, signature) = try authenticator.assertion(
      relyingPartyID: options.relyingPartyID, clientData: clientData, flags: flags,
      counter: counter)
    return PasskeyAssertion(
      credentialID: authenticator.credentialID, clientDataJSON: clientData,
      authenticatorData: data, signature: signature, userHandle: userHandle)
  }

  func signIn(
    _ assertion: PasskeyAssertion, in project: Project? = nil
  ) async throws -> SignedIn {
    try await accounts.signIn(
      with: assertion, from: .unknown, in: project ?? self.project, now: now
    ).signedIn()
  }

  /// Signs in without a user name.
  func signIn(
    _ authenticator: Authenticator, userHandle: [UInt8]?,
    flags: AuthenticatorData.Flags = [.userPresent, .userVerified], counter: UInt32 = 0
  ) async throws -> SignedIn {
    let options = try await accounts.startPasskeySignIn(in: project, now: now)
    return try await signIn(
      assertion(
        authenticator, options, userHandle: userHandle, flags: flags, counter: counter))
  }

  func passkeys(of uid: UID) async throws -> [Passkey] {
    let account = try await store.read { [project] in try $0.account(uid, in: project.id) }
    guard let account else { return [] }
    return try await accounts.passkeys(of: account, in: project)
  }

  func passkeyEvents(of uid: UID) async throws -> [EventKind] {
    try await store.read { [project] transaction in
      try transaction.latestWaitingEvents(of: uid, limit: 100, in: project.id).compactMap(
        \.event?.kind)
    }.filter { $0.rawValue.contains("passkey") }
  }
}
