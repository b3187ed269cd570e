public import Foundation
internal import GatehouseClient

/// Sign-in by text message.
///
/// On every platform, where Google's has it on iOS alone. No `uiDelegate` is ever asked to show
/// anything: the server wants no reCAPTCHA.
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
  ///   - phoneNumber: `+` and the country calling code first.
  ///   - multiFactorSession: Must be nil: the server has no second factors.
  /// - Returns: The verification id, good for ten minutes, to be kept with the code that the person
  ///   types: ``credential(withVerificationID:verificationCode:)``.
  /// - Throws: ``AuthErrorCode/missingPhoneNumber``, before anything is sent, for an empty number;
  ///   ``AuthErrorCode/invalidPhoneNumber``; ``AuthErrorCode/quotaExceeded`` and
  ///   ``AuthErrorCode/tooManyRequests`` at the server's limits;
  ///   ``AuthErrorCode/operationNotAllowed`` where the project hasn't enabled it.
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

  /// The credential of a code that came by text message.
  ///
  /// - Parameters:
  ///   - verificationID: What ``verifyPhoneNumber(_:uiDelegate:multiFactorSession:)`` returned.
  ///   - verificationCode: What the person typed.
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
