import Foundation
import GatehouseProtocol
package import GatehouseTokens

/// A token that a service account signed, after every check of the token itself.
struct SignedAssertion: Sendable {
  let account: ServiceAccount
  let keyID: String
  let token: VerifiedAssertion

  /// Checks the role, and checks again that the account and the key exist: they may have been deleted
  /// since. Called in the transaction that uses the assertion.
  ///
  /// - Throws: ``AssertionRefusal/unknownIssuer``.
  func recheck(for role: ServiceAccount.Role, in transaction: Transaction, now: Date)
    throws
  {
    guard let current = try transaction.serviceAccount(account.email),
      current.project == account.project, current.may(role, with: keyID, now: now)
    else { throw AssertionRefusal.unknownIssuer }
  }
}

extension Store {
  /// Verifies a token that a service account signed, with the account's live keys.
  ///
  /// Doesn't check roles: the needed role depends on the use of the assertion.
  ///
  /// - Parameters:
  ///   - project: The project to which the account must belong; nil for any.
  ///   - audiences: The values of `aud` that name this server.
  ///   - requiresSubject: Whether `sub` must be present. If it is present, it must be the account's email.
  /// - Throws: ``AssertionRefusal/unknownIssuer`` if no account of the project is the issuer;
  ///   ``AssertionRefusal/token(_:)`` if a check of the token fails; `StoreError.damaged` if a stored key
  ///   can't be read.
  func verifyAssertion(
    _ compact: String, of project: ProjectID?, audiences: [String], requiresSubject: Bool,
    now: Date
  ) async throws -> SignedAssertion {
    do {
      let token = try UnverifiedToken(compact)
      // The unverified issuer only selects which registered keys are tried.
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
      // The key was checked before it was stored.
      throw StoreError.damaged("a stored public key can't be read")
    }
  }
}

/// Why a token that claims a service account as its issuer is rejected. `==` compares everything.
package enum AssertionRefusal: Error, Hashable, Sendable {
  /// No service account of the project is the issuer; or the account lacks the role, or its key was
  /// removed.
  case unknownIssuer
  /// A check of the token itself failed, such as that of its signature, audience or times.
  case token(TokenError.Code)
  /// The account doesn't have the role `admin`.
  case notAdministrator
  /// The assertion has a `jti` and was used before.
  case used
}

extension AssertionRefusal: APIErrorConvertible {
  /// For a custom token. The message doesn't say which check failed, as in Google's service.
  var apiError: APIError {
    switch self {
    case .unknownIssuer: .refused(.credentialMismatch)
    case .token(.segments):
      .refused(.invalidCustomToken, "Invalid assertion format. 3 dot separated segments required.")
    case .token, .notAdministrator, .used: .refused(.invalidCustomToken)
    }
  }

  /// For an assertion at the token endpoint. ASCII without quotes and backslashes (RFC 6749 §5.2).
  var oauthDescription: String {
    switch self {
    case .unknownIssuer: "No service account has the name in iss, or its key was removed."
    case .token(let code): code.explanation
    case .notAdministrator:
      "The service account is not an administrator. Run: gatehouse service-accounts grant "
        + "EMAIL admin"
    case .used: "The assertion was used before. An assertion with a jti can be used once."
    }
  }
}
