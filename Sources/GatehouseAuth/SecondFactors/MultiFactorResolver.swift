public import Foundation
package import GatehouseClient

/// A sign-in that waits for a second factor, or the addition of one.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class MultiFactorSession: NSObject, @unchecked Sendable {
  let value: SecondFactorSession

  package init(_ value: SecondFactorSession) { self.value = value }
}

/// A statement that the user has a second factor.
open class MultiFactorAssertion: NSObject {
  /// ``PhoneMultiFactorInfo/PhoneMultiFactorID`` or ``PhoneMultiFactorInfo/TOTPMultiFactorID``
  open var factorID: String

  package init(factorID: String) { self.factorID = factorID }

  /// What ends a sign-in.
  ///
  /// - Throws: The errors for an empty code; ``AuthErrorCode/internalError`` for an assertion that ends
  ///   none.
  func proof() throws -> SecondFactorProof { throw Self.misplaced }

  /// What the assertion adds to an account.
  ///
  /// - Throws: As ``proof()``.
  func newFactor() throws -> NewSecondFactor { throw Self.misplaced }

  static var misplaced: NSError {
    ClientError.invalidArgument(
      detail: "An assertion for the enrollment can't sign in, and one for a sign-in can't enroll."
    ).nsError()
  }
}

/// Continues a sign-in, link or re-authentication that requires a second factor: under
/// ``AuthErrors/userInfoMultiFactorResolverKey`` of an error with
/// ``AuthErrorCode/secondFactorRequired``.
open class MultiFactorResolver: NSObject {
  public let session: MultiFactorSession
  /// The factors with which the user can continue.
  public let hints: [MultiFactorInfo]
  public let auth: Auth
  let value: SecondFactorResolver

  package init(_ value: SecondFactorResolver, auth: Auth) {
    self.value = value
    self.auth = auth
    session = MultiFactorSession(value.session)
    hints = value.factors.map { MultiFactorInfo.of($0) }
  }

  /// Ends the sign-in. A link or a re-authentication gives the user's session new tokens.
  ///
  /// - Throws: ``AuthErrorCode/invalidVerificationCode``, after which the user can try again;
  ///   ``AuthErrorCode/invalidMultiFactorSession`` if the first factor is too old;
  ///   ``AuthErrorCode/multiFactorInfoNotFound``, ``AuthErrorCode/tooManyRequests``.
  open func resolveSignIn(with assertion: MultiFactorAssertion) async throws -> AuthDataResult {
    if value.isEnrollmentRequired {
      return try await enroll(with: assertion, displayName: nil).result
    }
    let (value, proof) = (self.value, try assertion.proof())
    return data(
      try await asAuthErrors { () async throws(ClientError) in
        try await value.resolve(with: proof)
      })
  }

  open func resolveSignIn(
    with assertion: MultiFactorAssertion,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    let sent = SentResolution(resolver: self, assertion: assertion)
    completing(completion) { try await sent.resolver.resolveSignIn(with: sent.assertion) }
  }

  func data(_ result: SignInResult) -> AuthDataResult {
    AuthDataResult(result, user: auth.user(for: result.user))
  }
}

private struct SentResolution: @unchecked Sendable {  // Sent, not shared.
  let resolver: MultiFactorResolver
  let assertion: MultiFactorAssertion
}
