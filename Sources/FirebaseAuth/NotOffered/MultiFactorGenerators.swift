public import Foundation

/// A code by text message as a second factor.
open class PhoneMultiFactorAssertion: MultiFactorAssertion {
  package let credential: PhoneAuthCredential

  package init(_ credential: PhoneAuthCredential) {
    self.credential = credential
    super.init(factorID: PhoneMultiFactorInfo.PhoneMultiFactorID)
  }
}

/// Creates assertions from codes by text message. No function accepts them.
open class PhoneMultiFactorGenerator: NSObject {
  open class func assertion(
    with phoneAuthCredential: PhoneAuthCredential
  ) -> PhoneMultiFactorAssertion {
    PhoneMultiFactorAssertion(phoneAuthCredential)
  }
}

/// A code of an authenticator app as a second factor.
open class TOTPMultiFactorAssertion: MultiFactorAssertion {
  package init() { super.init(factorID: PhoneMultiFactorInfo.TOTPMultiFactorID) }
}

/// Authenticator apps as a second factor. The server has none: ``generateSecret(with:)`` fails with
/// ``AuthErrorCode/operationNotAllowed``, and no function accepts the assertions.
open class TOTPMultiFactorGenerator: NSObject {
  open class func generateSecret(
    with session: MultiFactorSession, completion: @escaping (TOTPSecret?, (any Error)?) -> Void
  ) {
    completing(completion) { throw AuthErrorCode.noSecondFactors }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open class func generateSecret(with session: MultiFactorSession) async throws -> TOTPSecret {
    throw AuthErrorCode.noSecondFactors
  }

  open class func assertionForEnrollment(
    with secret: TOTPSecret, oneTimePassword: String
  ) -> TOTPMultiFactorAssertion {
    TOTPMultiFactorAssertion()
  }

  open class func assertionForSignIn(
    withEnrollmentID enrollmentID: String, oneTimePassword: String
  ) -> TOTPMultiFactorAssertion {
    TOTPMultiFactorAssertion()
  }
}

/// The secret for an authenticator app. Never created.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class TOTPSecret: NSObject, @unchecked Sendable {
  private let key: String

  package init(key: String) { self.key = key }

  /// Base 32.
  open func sharedSecretKey() -> String { key }

  /// Empty: there is nothing to enrol.
  open func generateQRCodeURL(withAccountName accountName: String, issuer: String) -> String { "" }

  /// Does nothing: there is nothing to enrol.
  @MainActor
  open func openInOTPApp(withQRCodeURL qrCodeURL: String) {}
}
