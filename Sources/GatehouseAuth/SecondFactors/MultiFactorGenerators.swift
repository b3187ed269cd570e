public import Foundation
package import GatehouseClient

#if os(iOS) && canImport(UIKit)
  import UIKit
#elseif canImport(AppKit)
  import AppKit
#endif

/// A second factor: a code by text message.
open class PhoneMultiFactorAssertion: MultiFactorAssertion {
  package let credential: PhoneAuthCredential

  package init(_ credential: PhoneAuthCredential) {
    self.credential = credential
    super.init(factorID: PhoneMultiFactorInfo.PhoneMultiFactorID)
  }

  override func proof() throws -> SecondFactorProof {
    let (code, verificationID) = try parts()
    return .phone(code: code, verificationID: verificationID)
  }

  override func newFactor() throws -> NewSecondFactor {
    let (code, verificationID) = try parts()
    return .phone(code: code, verificationID: verificationID)
  }

  private func parts() throws -> (code: String, verificationID: String) {
    guard case .code(let code, let verificationID) = try credential.phoneCredential() else {
      throw AuthErrorCode.missingVerificationCode.error()
    }
    return (code, verificationID)
  }
}

/// Creates assertions from codes by text message.
open class PhoneMultiFactorGenerator: NSObject {
  open class func assertion(
    with phoneAuthCredential: PhoneAuthCredential
  ) -> PhoneMultiFactorAssertion {
    PhoneMultiFactorAssertion(phoneAuthCredential)
  }
}

/// A second factor: a code of an authenticator app.
open class TOTPMultiFactorAssertion: MultiFactorAssertion {
  enum Subject {
    case enrollment(AuthenticatorSecret)
    case signIn(factorUID: String)
  }

  let subject: Subject
  private let code: String

  init(_ subject: Subject, code: String) {
    self.subject = subject
    self.code = code
    super.init(factorID: PhoneMultiFactorInfo.TOTPMultiFactorID)
  }

  override func proof() throws -> SecondFactorProof {
    guard case .signIn(let uid) = subject else { throw Self.misplaced }
    return .totp(code: try checkedCode(), factorID: uid)
  }

  override func newFactor() throws -> NewSecondFactor {
    guard case .enrollment(let secret) = subject else { throw Self.misplaced }
    return .totp(secret, code: try checkedCode())
  }

  private func checkedCode() throws -> String {
    if code.isEmpty { throw AuthErrorCode.missingVerificationCode.error() }
    return code
  }
}

/// Authenticator apps as a second factor.
open class TOTPMultiFactorGenerator: NSObject {
  /// Asks for the secret of a new authenticator app.
  ///
  /// - Parameter session: ``MultiFactor/session()``, or that of a resolver whose project requires an
  ///   enrollment.
  /// - Throws: The errors of ``MultiFactor/enroll(with:displayName:)``, except those about a code.
  open class func generateSecret(with session: MultiFactorSession) async throws -> TOTPSecret {
    let value = session.value
    return TOTPSecret(
      try await asAuthErrors { () async throws(ClientError) in
        if let resolver = value.resolver, !resolver.isEnrollmentRequired {
          throw .invalidArgument(detail: "The session of a sign-in adds no factor.")
        }
        return try await value.createAuthenticatorSecret()
      })
  }

  open class func generateSecret(
    with session: MultiFactorSession, completion: @escaping (TOTPSecret?, (any Error)?) -> Void
  ) {
    completing(completion) { try await TOTPMultiFactorGenerator.generateSecret(with: session) }
  }

  /// - Parameter oneTimePassword: The code that the authenticator app shows.
  open class func assertionForEnrollment(
    with secret: TOTPSecret, oneTimePassword: String
  ) -> TOTPMultiFactorAssertion {
    TOTPMultiFactorAssertion(.enrollment(secret.value), code: oneTimePassword)
  }

  /// - Parameters:
  ///   - enrollmentID: The `uid` of a hint.
  ///   - oneTimePassword: The code that the authenticator app shows.
  open class func assertionForSignIn(
    withEnrollmentID enrollmentID: String, oneTimePassword: String
  ) -> TOTPMultiFactorAssertion {
    TOTPMultiFactorAssertion(.signIn(factorUID: enrollmentID), code: oneTimePassword)
  }
}

/// The secret for an authenticator app.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class TOTPSecret: NSObject, @unchecked Sendable {
  let value: AuthenticatorSecret

  package init(_ value: AuthenticatorSecret) { self.value = value }

  /// The secret in Base32, for a user who types it.
  open func sharedSecretKey() -> String { value.sharedSecretKey }

  /// The text of a QR code that authenticator apps scan. The names are percent-encoded, which Google's
  /// SDK leaves to the caller.
  open func generateQRCodeURL(withAccountName accountName: String, issuer: String) -> String {
    value.url(accountName: accountName, issuer: issuer)?.absoluteString ?? ""
  }

  /// Opens the authenticator app on this device, on iOS and macOS. Elsewhere it does nothing.
  @available(iOSApplicationExtension, unavailable)
  @MainActor
  open func openInOTPApp(withQRCodeURL qrCodeURL: String) {
    guard let url = URL(string: qrCodeURL), url.scheme == "otpauth" else { return }
    #if os(iOS) && canImport(UIKit)
      UIApplication.shared.open(url)
    #elseif canImport(AppKit)
      NSWorkspace.shared.open(url)
    #endif
  }
}

extension TOTPSecret: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
