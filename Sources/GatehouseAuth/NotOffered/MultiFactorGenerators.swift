public import Foundation

/// A second factor: a code by text message.
open class PhoneMultiFactorAssertion: MultiFactorAssertion {
  package let credential: PhoneAuthCredential

  package init(_ credential: PhoneAuthCredential) {
    self.credential = credential
    super.init(factorID: PhoneMultiFactorInfo.PhoneMultiFactorID)
  }
}

/// Creates assertions from codes by text message. Every function that takes one throws an error.
open class PhoneMultiFactorGenerator: NSObject {
  open class func assertion(
    with phoneAuthCredential: PhoneAuthCredential
  ) -> PhoneMultiFactorAssertion {
    PhoneMultiFactorAssertion(phoneAuthCredential)
  }
}

/// A second factor: a code of an authenticator app.
open class TOTPMultiFactorAssertion: MultiFactorAssertion {
  package init() { super.init(factorID: PhoneMultiFactorInfo.TOTPMultiFactorID) }
}

/// Authenticator apps as a second factor. The server has none: ``generateSecret(with:)`` throws
/// ``AuthErrorCode/operationNotAllowed``, and so does every function that takes an assertion.
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

  /// The secret in Base32.
  open func sharedSecretKey() -> String { key }

  /// Always empty: a user can't add a second factor.
  open func generateQRCodeURL(withAccountName accountName: String, issuer: String) -> String { "" }

  /// Does nothing: a user can't add a second factor.
  @MainActor
  open func openInOTPApp(withQRCodeURL qrCodeURL: String) {}
}
