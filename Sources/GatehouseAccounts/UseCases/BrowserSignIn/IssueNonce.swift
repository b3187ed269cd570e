package import Foundation
import GatehouseModel

/// A nonce that this server just issued.
package struct IssuedNonce: Sendable {
  /// Raw: its SHA-256 in hex goes to the provider.
  package let text: String
  /// The session id that the client must send with the nonce; nil if the nonce was issued to the
  /// session of an ID token.
  package let sessionID: String?
}

/// That a request's nonce may be used, or that it may do without one. Made by
/// ``AccountsService/accept(nonce:sessionID:linking:in:now:)`` and
/// ``AccountsService/redeem(_:sessionID:isLink:in:now:)`` alone.
package struct AcceptedNonce: Sendable {
  /// The record of a server's nonce: spent in the transaction of the sign-in.
  let spending: SingleUseToken?

  /// For a pending token, whose nonce was spent before.
  static let spentAlready = AcceptedNonce(spending: nil)

  /// For a browser sign-in, which is used up as a whole before.
  static let ofBrowserSignIn = AcceptedNonce(spending: nil)
}

extension AccountsService {
  /// Whether `nonce` has the form of this server's nonces. Doesn't check that it is valid.
  package func isOurNonce(_ nonce: String?) -> Bool { nonce.map(NonceCodec.isOurs) ?? false }

  /// Issues a nonce to the session of an ID token, or to a client that will send the returned
  /// session id.
  ///
  /// Nothing is stored: see ``NonceCodec``.
  ///
  /// - Throws: What ``caller(ofIDToken:in:now:)`` throws.
  package func issueNonce(
    forIDToken idToken: String?, in project: Project, now: Date
  ) async throws -> IssuedNonce {
    guard let idToken else {
      var generator = SystemRandomNumberGenerator()
      let handle = SessionID(using: &generator).description
      return IssuedNonce(
        text: nonces.nonce(for: .handle(handle), project: project.id, now: now), sessionID: handle)
    }
    let caller = try await caller(ofIDToken: idToken, in: project, now: now)
    return IssuedNonce(
      text: nonces.nonce(for: .session(caller.session.id), project: project.id, now: now),
      sessionID: nil)
  }

  /// Checks a sign-in's raw nonce against the project's policy and, if the server issued it,
  /// against its holder.
  ///
  /// Doesn't compare it with the provider's token: `Federation` does that afterwards.
  ///
  /// - Parameters:
  ///   - raw: Nil and empty are none.
  ///   - sessionID: What the nonce was answered with.
  ///   - linking: Of the account that is linked to. Its session, not the session id, then counts.
  /// - Throws: ``AccountsError/nonce(_:)``.
  package func accept(
    nonce raw: String?, sessionID: String?, linking: IDTokenFacts?, in project: Project, now: Date
  ) throws(AccountsError) -> AcceptedNonce {
    guard let raw, NonceCodec.isOurs(raw) else {
      if project.policies.nonce == .server {
        throw .nonce(raw?.isEmpty ?? true ? .missing : .ofClient)
      }
      return AcceptedNonce(spending: nil)
    }
    let holder: NonceHolder =
      if let linking {
        .session(linking.session)
      } else {
        .handle(sessionID ?? "")
      }
    return AcceptedNonce(
      spending: try nonces.check(raw, of: holder, project: project.id, now: now))
  }
}
