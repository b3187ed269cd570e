package import Foundation
import GatehouseProtocol

/// The permission to sign in with a request's nonce, or without one.
///
/// Only two functions create it: ``AccountsService/accept(nonce:sessionID:linking:in:now:)`` and
/// ``AccountsService/redeem(_:sessionID:isLink:in:now:)``.
package struct AcceptedNonce: Sendable {
  /// The record of a nonce that this server issued, which the transaction of the sign-in spends. Nil if
  /// the request has no such nonce.
  let spending: SingleUseToken?

  /// For a browser sign-in: its response, and with it the nonce, was used up already.
  static let ofBrowserSignIn = AcceptedNonce(spending: nil)
}

extension AccountsService {
  /// Whether `nonce` has the form of this server's nonces. Doesn't check that it is valid.
  package func isOurNonce(_ nonce: String?) -> Bool { nonce.map(NonceCodec.isOurs) ?? false }

  /// Checks the raw nonce of a sign-in against the project's policy. A nonce that this server issued
  /// must also belong to the session or session id of the request.
  ///
  /// Doesn't compare the nonce with the provider's token: `Federation` does that afterwards.
  ///
  /// - Parameters:
  ///   - raw: The nonce as the client created or received it. Nil and the empty string mean that the
  ///     request has no nonce.
  ///   - sessionID: The session id that the server returned with the nonce. Ignored if `linking` is
  ///     given.
  ///   - linking: The ID token of the account to which the identity will be linked; nil for a
  ///     sign-in. The nonce must belong to this token's session.
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

/// Why a nonce is rejected.
package enum NonceFault: Hashable, Sendable {
  /// Altered, forged, or issued for another project.
  case notIssued
  case expired
  /// Issued to another session than the one that uses it.
  case otherSession
  case used
  /// The project requires nonces of the server, and the client created this one.
  case ofClient
  /// The project requires nonces of the server, and the request has none.
  case missing
}
