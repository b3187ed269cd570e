import GatehouseAuth
import Foundation

/// Phones and second factors: the calls compile.
enum SecondFactorAPI {
  static func multiFactor(_ factors: MultiFactor) {
    let _: [MultiFactorInfo] = factors.enrolledFactors
    let _: (((MultiFactorSession?, (any Error)?) -> Void)?) -> Void =
      factors.getSessionWithCompletion(_:)
    let _: () async throws -> MultiFactorSession = factors.session
    let _: (MultiFactorAssertion, String?, Done?) -> Void =
      factors.enroll(with:displayName:completion:)
    let _: (MultiFactorInfo, Done?) -> Void = factors.unenroll(with:completion:)
    let _: (MultiFactorInfo) async throws -> Void = factors.unenroll(with:)
    let _: (String, Done?) -> Void = factors.unenroll(withFactorUID:completion:)
    let _: (String) async throws -> Void = factors.unenroll(withFactorUID:)
    ValueAPI.coding(factors)
    let _: (NSCoder) -> MultiFactor? = MultiFactor.init(coder:)
  }

  static func waiting(_ factors: MultiFactor, _ assertion: MultiFactorAssertion) async throws {
    try await factors.enroll(with: assertion, displayName: nil)
  }

  static func info(_ info: MultiFactorInfo, _ phone: PhoneMultiFactorInfo) {
    let _: String = info.uid
    let _: String? = info.displayName
    let _: Date = info.enrollmentDate
    let _: String = info.factorID
    ValueAPI.coding(info)
    let _: (NSCoder) -> MultiFactorInfo? = MultiFactorInfo.init(coder:)
    let _: MultiFactorInfo = phone
    let _: [String] = [
      PhoneMultiFactorInfo.PhoneMultiFactorID, PhoneMultiFactorInfo.TOTPMultiFactorID,
    ]
    let _: String = phone.phoneNumber
    ValueAPI.coding(phone)
    let _: (NSCoder) -> PhoneMultiFactorInfo? = PhoneMultiFactorInfo.init(coder:)
    let _: (NSCoder) -> MultiFactorInfo? = TOTPMultiFactorInfo.init(coder:)
  }

  /// What Firebase doesn't have.
  static func own(
    _ factors: MultiFactor, _ resolver: MultiFactorResolver, _ assertion: MultiFactorAssertion
  ) async throws {
    let _: Int? = factors.recoveryCodesLeft
    let _: [String] = try await factors.createRecoveryCodes()
    let _: [String] = try await factors.enrollReturningRecoveryCodes(
      with: assertion, displayName: nil)
    let _: Int? = resolver.recoveryCodesLeft
    let _: Bool = resolver.isEnrollmentRequired
    let _: AuthDataResult = try await resolver.resolveSignIn(withRecoveryCode: "")
    let _: (result: AuthDataResult, recoveryCodes: [String]) = try await resolver.enroll(
      with: assertion, displayName: nil)
  }

  static func resolver(_ resolver: MultiFactorResolver, _ assertion: MultiFactorAssertion)
    async throws
  {
    let _: String = assertion.factorID
    let _: MultiFactorSession = resolver.session
    let _: [MultiFactorInfo] = resolver.hints
    let _: Auth = resolver.auth
    resolver.resolveSignIn(with: assertion) { (_: AuthDataResult?, _: (any Error)?) in }
    let _: AuthDataResult = try await resolver.resolveSignIn(with: assertion)
  }

  static func unwaited(_ resolver: MultiFactorResolver, _ assertion: MultiFactorAssertion) {
    resolver.resolveSignIn(with: assertion)
  }

  static func generators(_ session: MultiFactorSession) {
    let _: (PhoneAuthCredential) -> PhoneMultiFactorAssertion =
      PhoneMultiFactorGenerator.assertion(with:)
    let _: (MultiFactorSession, @escaping (TOTPSecret?, (any Error)?) -> Void) -> Void =
      TOTPMultiFactorGenerator.generateSecret(with:completion:)
    let _: (MultiFactorSession) async throws -> TOTPSecret =
      TOTPMultiFactorGenerator.generateSecret(with:)
    let _: (TOTPSecret, String) -> TOTPMultiFactorAssertion =
      TOTPMultiFactorGenerator.assertionForEnrollment(with:oneTimePassword:)
    let _: (String, String) -> TOTPMultiFactorAssertion =
      TOTPMultiFactorGenerator.assertionForSignIn(withEnrollmentID:oneTimePassword:)
    let _: MultiFactorAssertion.Type = PhoneMultiFactorAssertion.self
    let _: MultiFactorAssertion.Type = TOTPMultiFactorAssertion.self
  }

  @MainActor
  static func secret(_ secret: TOTPSecret) {
    let _: () -> String = secret.sharedSecretKey
    let _: (String, String) -> String = secret.generateQRCodeURL(withAccountName:issuer:)
    let _: (String) -> Void = secret.openInOTPApp(withQRCodeURL:)
  }

  static func phone(
    _ auth: Auth, _ delegate: (any AuthUIDelegate)?, _ info: PhoneMultiFactorInfo,
    _ session: MultiFactorSession?
  ) async throws {
    let _: () -> PhoneAuthProvider = PhoneAuthProvider.provider
    let phone: PhoneAuthProvider = PhoneAuthProvider.provider(auth: auth)
    let completion: @MainActor (String?, (any Error)?) -> Void = { _, _ in }
    phone.verifyPhoneNumber("", completion: completion)
    phone.verifyPhoneNumber("", uiDelegate: delegate, completion: completion)
    phone.verifyPhoneNumber(
      "", uiDelegate: delegate, multiFactorSession: session, completion: completion)
    let _: String = try await phone.verifyPhoneNumber("")
    let _: String = try await phone.verifyPhoneNumber(
      "", uiDelegate: delegate, multiFactorSession: session)
    phone.verifyPhoneNumber(
      with: info, uiDelegate: delegate, multiFactorSession: session
    ) { (_: String?, _: (any Error)?) in }
    let _: String = try await phone.verifyPhoneNumber(
      with: info, uiDelegate: delegate, multiFactorSession: session)
    let _: (String, String) -> PhoneAuthCredential =
      phone.credential(withVerificationID:verificationCode:)
  }
}
