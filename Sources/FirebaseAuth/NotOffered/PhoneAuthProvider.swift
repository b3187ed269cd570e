public import Foundation

/// Sign-in by text message. The server sends none: every call ends in
/// ``AuthErrorCode/operationNotAllowed``.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class PhoneAuthProvider: NSObject, @unchecked Sendable {
  /// `phone`
  public static let id = "phone"

  private let auth: Auth

  private init(auth: Auth) { self.auth = auth }

  open class func provider() -> PhoneAuthProvider { PhoneAuthProvider(auth: Auth.auth()) }

  open class func provider(auth: Auth) -> PhoneAuthProvider { PhoneAuthProvider(auth: auth) }

  open func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    completion: (@MainActor (String?, (any Error)?) -> Void)?
  ) {
    refuse(completion)
  }

  open func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession? = nil,
    completion: (@MainActor (String?, (any Error)?) -> Void)?
  ) {
    refuse(completion)
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession? = nil
  ) async throws -> String {
    throw Self.refusal
  }

  open func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?, completion: ((String?, (any Error)?) -> Void)?
  ) {
    completing(completion) { throw Self.refusal }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``.
  open func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?
  ) async throws -> String {
    throw Self.refusal
  }

  /// A credential that the server refuses.
  open func credential(
    withVerificationID verificationID: String, verificationCode: String
  ) -> PhoneAuthCredential {
    PhoneAuthCredential(verificationID: verificationID, verificationCode: verificationCode)
  }

  private func refuse(_ completion: (@MainActor (String?, (any Error)?) -> Void)?) {
    guard let completion else { return }
    completing({ (value: String?, error: (any Error)?) in
      MainActor.assumeIsolated { completion(value, error) }
    }) { throw Self.refusal }
  }

  private static var refusal: NSError { AuthErrorCode.notOffered("sign-in by text message") }
}
