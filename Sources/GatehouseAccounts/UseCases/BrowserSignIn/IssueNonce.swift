package import Foundation
import GatehouseModel

/// A nonce that this server just issued.
package struct IssuedNonce: Sendable {
  /// Raw: its SHA-256 in hex goes to the provider.
  package let text: String
  /// What has to come back beside it; nil where the session of an ID token does.
  package let sessionID: String?
}

/// That a request's nonce may be used, or that it may do without one. Made by
/// ``AccountsService/accept(nonce:sessionID:linking:in:now:)`` and
/// ``AccountsService/redeem(_:sessionID:isLink:in:now:)`` alone.
package struct AcceptedNonce: Sendable {
  /// The record of a nonce of ours: spent in the transaction of the answer.
  let spending: SingleUseToken?

  /// Of what a pending token repeats.
  static let spentAlready = AcceptedNonce(spending: nil)

  /// Of a sign-in in a browser, which as a whole is used up before.
  static let ofBrowserSignIn = AcceptedNonce(spending: nil)
}

extension AccountsService {
  /// Whether `nonce` is in the form of this server's nonces. Says nothing of whether it is good.
  package func isOurNonce(_ nonce: String?) -> Bool { nonce.map(NonceCodec.isOurs) ?? false }

  /// Issues a nonce to the session of an ID token, or to whoever will show the answer's session id.
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

  /// Holds a sign-in's raw nonce against the project's policy and, if it is one of ours, against
  /// what it was issued for.
  ///
  /// Doesn't compare it with the provider's token: that is `Federation`'s, and comes afterwards.
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
