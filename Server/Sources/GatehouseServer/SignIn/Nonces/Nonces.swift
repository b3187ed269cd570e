package import Foundation
import GatehouseProtocol

/// `POST v1/nonces`, an extension: the server creates the nonce of the next sign-in, for one
/// session or for a client that isn't signed in.
struct Nonces: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.client(.post, "v1/nonces", "nonces", answer)]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(NonceRequest.self)
    let nonce = try await services.accounts.issueNonce(
      forIDToken: request.idToken, in: try call.requireProject(), now: call.now)
    return Answer(
      NonceResponse(
        nonce: nonce.text, sessionID: nonce.sessionID,
        expiresInSeconds: Int(NonceCodec.lifetimeSeconds)))
  }
}

/// A nonce that this server just issued.
package struct IssuedNonce: Sendable {
  /// The raw nonce. The provider gets its SHA-256 in hexadecimal digits.
  package let text: String
  /// The session id that the client must send with the nonce; nil if the nonce was issued to the
  /// session of an ID token.
  package let sessionID: String?
}

extension AccountsService {
  /// Issues a nonce for a sign-in. It is bound to the session of `idToken`, or, without an ID token,
  /// to a new session id that the client has to send with the sign-in.
  ///
  /// Nothing is stored: see ``NonceCodec``. ``accept(nonce:sessionID:linking:in:now:)`` checks the
  /// nonce when it comes back.
  ///
  /// - Throws: What ``currentUser(ofIDToken:in:now:)`` throws.
  package func issueNonce(
    forIDToken idToken: String?, in project: Project, now: Date
  ) async throws -> IssuedNonce {
    guard let idToken else {
      var generator = SystemRandomNumberGenerator()
      let handle = SessionID(using: &generator).description
      return IssuedNonce(
        text: nonces.nonce(for: .handle(handle), project: project.id, now: now), sessionID: handle)
    }
    let user = try await currentUser(ofIDToken: idToken, in: project, now: now)
    return IssuedNonce(
      text: nonces.nonce(for: .session(user.session.id), project: project.id, now: now),
      sessionID: nil)
  }
}
