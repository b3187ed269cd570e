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
    let handler: ((String?, (any Error)?) -> Void)? = completion.map { completion in
      { value, error in MainActor.assumeIsolated { completion(value, error) } }
    }
    completing(handler) { [self] in
      try await send(to: phoneNumber, multiFactorSession)
    }
  }

  /// Sends a code by text message.
  ///
  /// - Parameters:
  ///   - phoneNumber: Begins with `+` and the country calling code.
  ///   - multiFactorSession: The session in which the phone becomes a second factor:
  ///     ``MultiFactor/session()``, or that of a resolver whose project requires an enrollment.
  /// - Returns: The verification id, valid for ten minutes. When the user has typed the code, pass
  ///   both to ``credential(withVerificationID:verificationCode:)``.
  /// - Throws: ``AuthErrorCode/missingPhoneNumber``, before a request is sent, for an empty number;
  ///   ``AuthErrorCode/invalidPhoneNumber``; ``AuthErrorCode/quotaExceeded`` and
  ///   ``AuthErrorCode/tooManyRequests`` at the server's rate limits;
  ///   ``AuthErrorCode/operationNotAllowed`` if the project doesn't allow sign-in by phone number, or no
  ///   phones as second factors; ``AuthErrorCode/missingMultiFactorInfo``, before a request is sent, for
  ///   the session of a sign-in; the errors of ``MultiFactor/enroll(with:displayName:)``.
  open func verifyPhoneNumber(
    _ phoneNumber: String, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession? = nil
  ) async throws -> String {
    try await send(to: phoneNumber, multiFactorSession)
  }

  open func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?, completion: ((String?, (any Error)?) -> Void)?
  ) {
    completing(completion) { [self] in
      try await send(to: multiFactorInfo, multiFactorSession)
    }
  }

  /// Sends a code to the phone of a second factor, for a sign-in.
  ///
  /// - Parameters:
  ///   - multiFactorInfo: One of the resolver's ``MultiFactorResolver/hints``.
  ///   - multiFactorSession: The resolver's ``MultiFactorResolver/session``.
  /// - Throws: Before a request is sent, ``AuthErrorCode/missingMultiFactorSession`` without a session,
  ///   and ``AuthErrorCode/invalidMultiFactorSession`` for that of a signed-in user.
  open func verifyPhoneNumber(
    with multiFactorInfo: PhoneMultiFactorInfo, uiDelegate: (any AuthUIDelegate)? = nil,
    multiFactorSession: MultiFactorSession?
  ) async throws -> String {
    try await send(to: multiFactorInfo, multiFactorSession)
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

  private func send(
    to phoneNumber: String, _ session: MultiFactorSession?
  ) async throws -> String {
    if phoneNumber.isEmpty { throw AuthErrorCode.missingPhoneNumber.error() }
    let (client, session) = (auth.client, session?.value)
    if let resolver = session?.resolver, !resolver.isEnrollmentRequired {
      throw AuthErrorCode.missingMultiFactorInfo.error()
    }
    return try await asAuthErrors { () async throws(ClientError) in
      if let session { return try await session.sendCode(toNew: phoneNumber) }
      return try await client.sendVerificationCode(to: phoneNumber)
    }
  }

  private func send(
    to factor: PhoneMultiFactorInfo, _ session: MultiFactorSession?
  ) async throws -> String {
    guard let session = session?.value else {
      throw AuthErrorCode.missingMultiFactorSession.error()
    }
    guard session.resolver != nil else { throw AuthErrorCode.invalidMultiFactorSession.error() }
    let factorID = factor.uid
    return try await asAuthErrors { () async throws(ClientError) in
      try await session.sendCode(toFactor: factorID)
    }
  }
}
