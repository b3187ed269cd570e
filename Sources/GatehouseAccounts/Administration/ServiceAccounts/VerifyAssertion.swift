import Foundation
import GatehouseModel
package import GatehouseTokens

/// Something that a service account signed, after every check of the token itself.
struct SignedAssertion: Sendable {
  let account: ServiceAccount
  let keyID: String
  let token: VerifiedAssertion

  /// Asks again within the transaction that acts on it: the account or key may have gone since.
  ///
  /// - Throws: ``AssertionRefusal/unknownIssuer``.
  func recheck(for role: ServiceAccount.Role, in transaction: any StoreTransaction, now: Date)
    throws
  {
    guard let current = try transaction.serviceAccount(account.email),
      current.project == account.project, current.may(role, with: keyID, now: now)
    else { throw AssertionRefusal.unknownIssuer }
  }
}

extension Store {
  /// Verifies what a service account signed, with its live keys.
  ///
  /// Doesn't look at roles: that is what the assertion is for.
  ///
  /// - Parameters:
  ///   - project: Whose account it must be; nil for any.
  ///   - audiences: Our own names in `aud`.
  ///   - requiresSubject: Whether `sub` must be there. It is the account itself in any case.
  /// - Throws: ``AssertionRefusal/unknownIssuer`` if no account of the project has the issuer's name,
  ///   ``AssertionRefusal/token(_:)``.
  func verifyAssertion(
    _ compact: String, of project: ProjectID?, audiences: [String], requiresSubject: Bool,
    now: Date
  ) async throws -> SignedAssertion {
    do {
      let token = try UnverifiedToken(compact)
      // Chooses among registered keys, as it may, and nothing else.
      guard let issuer = token.unverifiedIssuer, let email = EmailAddress(issuer),
        let account = try await read({ try $0.serviceAccount(email) }),
        project.map({ $0 == account.project }) ?? true
      else { throw AssertionRefusal.unknownIssuer }
      let keys = try account.keys.filter { $0.isLive(at: now) }
        .map { try VerificationKey(spkiDER: $0.spkiDER) }
      let verified = try AssertionVerifier(
        issuer: account.email.text, audiences: audiences, requiresSubject: requiresSubject
      ).verify(token, keys: keys, now: now)
      return SignedAssertion(account: account, keyID: verified.keyID ?? "", token: verified)
    } catch let error as TokenError {
      throw AssertionRefusal.token(error.code)
    } catch is PublicKeyError {
      // It was checked before it was stored.
      throw StoreError.damaged("a stored public key can't be read")
    }
  }
}

/// Why a token that a service account is said to have signed is refused. `==` compares everything.
package enum AssertionRefusal: Error, Hashable, Sendable {
  /// No service account has the issuer's name, or none that this is for.
  case unknownIssuer
  /// The token itself: signature, audience, times.
  case token(TokenError.Code)
  /// The account isn't an administrator.
  case notAdministrator
  /// It was used before, and has a `jti`.
  case used
}
