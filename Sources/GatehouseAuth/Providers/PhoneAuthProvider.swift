public import Foundation
internal import GatehouseClient

/// Sign-in by text message.
///
/// Works on every platform. Google's SDK has it only on iOS. The functions ignore their
/// `uiDelegate`, because the server requires no reCAPTCHA.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class PhoneAuthProvider: NSObject, @unchecked Sendable {
  /// `phone`
  public static let id = "phone"

  private let auth: Auth

  private init(auth: Auth) { self.auth = auth }

  open class func provider() -> PhoneAuthProvider { PhoneAuthProvider(auth: Auth.auth()) }

  open class func provider(auth: Auth) -> PhoneAuthProvider { PhoneAuthProvider(auth: auth) }

  /// Sends a code; see ``verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``.
  open func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    completion: (@MainActor (String?, (any Error)?) -> Void)?
  ) {
    verifyPhoneNumber(
      phoneNumber, uiDelegate: uiDelegate, multiFactorSession: nil, completion: completion)
  }

  open func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession? = nil,
    completion: (@MainActor (String?, (any Error)?) -> Void)?
  ) {
    let isSecondFactor = multiFactorSession != nil
    let handler: ((String?, (any Error)?) -> Void)? = completion.map { completion in
      { value, error in MainActor.assumeIsolated { completion(value, error) } }
    }
    completing(handler) { [self] in
      try await send(to: phoneNumber, isSecondFactor: isSecondFactor)
    }
  }

  /// Sends a code by text message.
  ///
  /// - Parameters:
  ///   - phoneNumber: Begins with `+` and the country calling code.
  ///   - multiFactorSession: Must be nil: the server has no second factors.
  /// - Returns: The verification id, valid for ten minutes. When the user has typed the code, pass
  ///   both to ``credential(withVerificationID:verificationCode:)``.
  /// - Throws: ``AuthErrorCode/missingPhoneNumber``, before a request is sent, for an empty number;
  ///   ``AuthErrorCode/invalidPhoneNumber``; ``AuthErrorCode/quotaExceeded`` and
  ///   ``AuthErrorCode/tooManyRequests`` at the server's rate limits;
  ///   ``AuthErrorCode/operationNotAllowed`` if the project doesn't allow sign-in by phone number,
  ///   or a `multiFactorSession` is passed.
  open func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession? = nil
  ) async throws -> String {
    try await send(to: phoneNumber, isSecondFactor: multiFactorSession != nil)
  }

  open func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?, completion: ((String?, (any Error)?) -> Void)?
  ) {
    completing(completion) { throw Self.refusal }
  }

  /// - Throws: ``AuthErrorCode/operationNotAllowed``: the server has no second factors.
  open func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?
  ) async throws -> String {
    throw Self.refusal
  }

  /// Creates the credential for a code that came by text message.
  ///
  /// - Parameters:
  ///   - verificationID: The id that ``verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``
  ///     returned.
  ///   - verificationCode: The code that the user typed.
  open func credential(
    withVerificationID verificationID: String, verificationCode: String
  ) -> PhoneAuthCredential {
    PhoneAuthCredential(verificationID: verificationID, verificationCode: verificationCode)
  }

  private func send(to phoneNumber: String, isSecondFactor: Bool) async throws -> String {
    if isSecondFactor { throw Self.refusal }
    if phoneNumber.isEmpty { throw AuthErrorCode.missingPhoneNumber.error() }
    let client = auth.client
    return try await asAuthErrors { () async throws(ClientError) in
      try await client.sendVerificationCode(to: phoneNumber)
    }
  }

  private static var refusal: NSError { AuthErrorCode.notOffered("second factors") }
}
