public import Foundation

// What code about second factors names. None of these is ever made but assertions, which nothing
// takes.

/// A sign-in or enrolment that waits for a second factor. Never made.
// `@unchecked`: no lock, because there is nothing. An open class can't be checked.
open class MultiFactorSession: NSObject, @unchecked Sendable {
  package override init() { super.init() }
}

/// The proof of a second factor.
open class MultiFactorAssertion: NSObject {
  /// ``PhoneMultiFactorInfo/PhoneMultiFactorID`` or ``PhoneMultiFactorInfo/TOTPMultiFactorID``
  open var factorID: String

  package init(factorID: String) { self.factorID = factorID }
}

/// Goes on with a sign-in that asks for a second factor. Never made.
open class MultiFactorResolver: NSObject {
  public let session: MultiFactorSession
  public let hints: [MultiFactorInfo]
  public let auth: Auth

  package init(session: MultiFactorSession, hints: [MultiFactorInfo], auth: Auth) {
    self.session = session
    self.hints = hints
    self.auth = auth
  }

  open func resolveSignIn(
    with assertion: MultiFactorAssertion,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { throw AuthErrorCode.noSecondFactors }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open func resolveSignIn(with assertion: MultiFactorAssertion) async throws -> AuthDataResult {
    throw AuthErrorCode.noSecondFactors
  }
}
