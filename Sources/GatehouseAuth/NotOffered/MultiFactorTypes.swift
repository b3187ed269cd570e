public import Foundation

// Types for apps whose code handles second factors. Of these types, only assertions are ever
// created. Every function that takes one throws an error.

/// A sign-in that waits for a second factor, or the addition of one. Never created.
// `@unchecked`: no lock, because it has no state. An open class can't be checked.
open class MultiFactorSession: NSObject, @unchecked Sendable {
  package override init() { super.init() }
}

/// A statement that the user has a second factor.
open class MultiFactorAssertion: NSObject {
  /// ``PhoneMultiFactorInfo/PhoneMultiFactorID`` or ``PhoneMultiFactorInfo/TOTPMultiFactorID``
  open var factorID: String

  package init(factorID: String) { self.factorID = factorID }
}

/// Continues a sign-in that requires a second factor. Never created.
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
