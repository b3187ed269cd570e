/// `v2/accounts/mfaEnrollment:start`: sends a code to a phone, or creates the secret of an
/// authenticator app.
public struct StartMFAEnrollmentRequest: WireMessage {
  public var idToken: String?
  /// An extension, instead of ``idToken``: of a sign-in that requires an enrollment.
  public var pendingCredential: String?
  /// Nil if the request names none.
  public var factor: Factor?
  public var tenantID: String?

  /// The fields with which Google's clients show that they are an app or a browser are ignored, as in
  /// ``SendVerificationCodeRequest``.
  public enum Factor: Hashable, Sendable {
    case phone(number: String?)
    case totp
  }

  public init(factor: Factor) { self.factor = factor }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    pendingCredential = try fields.nonEmptyString("mfaPendingCredential")
    factor =
      if let phone = try fields.message("phoneEnrollmentInfo") {
        .phone(number: try phone.nonEmptyString("phoneNumber"))
      } else if try fields.message("totpEnrollmentInfo") != nil {
        .totp
      } else {
        nil
      }
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("mfaPendingCredential", ifPresent: pendingCredential)
    switch factor {
    case .phone(let number):
      writer.object("phoneEnrollmentInfo") { $0.member("phoneNumber", ifPresent: number) }
    case .totp: writer.object("totpEnrollmentInfo") { _ in }
    case nil: break
    }
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public enum StartMFAEnrollmentResponse: WireMessage {
  case phone(sessionInfo: String)
  case totp(TOTPSessionInfo)

  public init(_ fields: WireFields) throws(WireError) {
    if let phone = try fields.message("phoneSessionInfo") {
      self = .phone(sessionInfo: try phone.requiredString("sessionInfo"))
    } else if let totp = try fields.message("totpSessionInfo") {
      self = .totp(try TOTPSessionInfo(totp))
    } else {
      throw WireError(field: "totpSessionInfo", wanted: .message)
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .phone(let sessionInfo):
      writer.object("phoneSessionInfo") { $0.member("sessionInfo", sessionInfo) }
    case .totp(let info): writer.object("totpSessionInfo") { info.writeMembers(to: &$0) }
    }
  }
}

/// The secret that an authenticator app gets, and how it computes codes from it (RFC 6238).
public struct TOTPSessionInfo: WireMessage, Hashable {
  /// Base32 without padding (RFC 4648 §6).
  public var sharedSecretKey: String
  public var verificationCodeLength: Int
  /// `SHA1`.
  public var hashingAlgorithm: String
  public var periodSeconds: Int
  public var sessionInfo: String
  /// RFC 3339.
  public var finalizeEnrollmentTime: String?

  public init(
    sharedSecretKey: String, verificationCodeLength: Int = 6, hashingAlgorithm: String = "SHA1",
    periodSeconds: Int = 30, sessionInfo: String, finalizeEnrollmentTime: String?
  ) {
    self.sharedSecretKey = sharedSecretKey
    self.verificationCodeLength = verificationCodeLength
    self.hashingAlgorithm = hashingAlgorithm
    self.periodSeconds = periodSeconds
    self.sessionInfo = sessionInfo
    self.finalizeEnrollmentTime = finalizeEnrollmentTime
  }

  /// An absent length, algorithm or period is read as the usual one.
  public init(_ fields: WireFields) throws(WireError) {
    sharedSecretKey = try fields.requiredString("sharedSecretKey")
    verificationCodeLength = Int(clamping: try fields.int64("verificationCodeLength") ?? 6)
    hashingAlgorithm = try fields.nonEmptyString("hashingAlgorithm") ?? "SHA1"
    periodSeconds = Int(clamping: try fields.int64("periodSec") ?? 30)
    sessionInfo = try fields.requiredString("sessionInfo")
    finalizeEnrollmentTime = try fields.nonEmptyString("finalizeEnrollmentTime")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("sharedSecretKey", sharedSecretKey)
    writer.member("verificationCodeLength", verificationCodeLength)
    writer.member("hashingAlgorithm", hashingAlgorithm)
    writer.member("periodSec", periodSeconds)
    writer.member("sessionInfo", sessionInfo)
    writer.member("finalizeEnrollmentTime", ifPresent: finalizeEnrollmentTime)
  }
}

/// `v2/accounts/mfaEnrollment:finalize`: adds the factor to the account.
public struct FinalizeMFAEnrollmentRequest: WireMessage {
  public var idToken: String?
  /// An extension, instead of ``idToken``: of a sign-in that requires an enrollment.
  public var pendingCredential: String?
  public var displayName: String?
  /// Nil if the request contains none.
  public var verification: Verification?
  /// An extension: the consent to join a number to the account.
  public var consent: ConsentMessage?
  public var tenantID: String?

  public enum Verification: Hashable, Sendable {
    case phone(PhoneVerificationInfo)
    case totp(sessionInfo: String?, code: String?)
  }

  public init(verification: Verification) { self.verification = verification }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    pendingCredential = try fields.nonEmptyString("mfaPendingCredential")
    displayName = try fields.nonEmptyString("displayName")
    verification =
      if let phone = try fields.message("phoneVerificationInfo") {
        .phone(try PhoneVerificationInfo(phone))
      } else if let totp = try fields.message("totpVerificationInfo") {
        .totp(
          sessionInfo: try totp.nonEmptyString("sessionInfo"),
          code: try totp.nonEmptyString("verificationCode"))
      } else {
        nil
      }
    consent = try ConsentMessage.read(from: fields)
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("mfaPendingCredential", ifPresent: pendingCredential)
    writer.member("displayName", ifPresent: displayName)
    switch verification {
    case .phone(let info):
      writer.object("phoneVerificationInfo") { info.writeMembers(to: &$0) }
    case .totp(let sessionInfo, let code):
      writer.object("totpVerificationInfo") { totp in
        totp.member("sessionInfo", ifPresent: sessionInfo)
        totp.member("verificationCode", ifPresent: code)
      }
    case nil: break
    }
    consent?.write(to: &writer)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct FinalizeMFAEnrollmentResponse: WireMessage {
  public var tokens: SessionTokens
  public var factor: MFAAuthInfo
  /// An extension: the account's first recovery codes. Empty if it had some already.
  public var recoveryCodes: [String] = []

  public init(tokens: SessionTokens, factor: MFAAuthInfo) {
    self.tokens = tokens
    self.factor = factor
  }

  public init(_ fields: WireFields) throws(WireError) {
    tokens = try SessionTokens(fields)
    factor = try MFAAuthInfo.read(from: fields) ?? .totp
    recoveryCodes = try fields.strings("recoveryCodes")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    tokens.writeMembers(to: &writer)
    factor.write(to: &writer)
    if !recoveryCodes.isEmpty { writer.member("recoveryCodes", recoveryCodes) }
  }
}

/// `v2/accounts/mfaEnrollment:withdraw`: removes a factor.
public struct WithdrawMFARequest: WireMessage {
  public var idToken: String?
  public var enrollmentID: String?
  public var tenantID: String?

  public init(idToken: String, enrollmentID: String) {
    self.idToken = idToken
    self.enrollmentID = enrollmentID
  }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    enrollmentID = try fields.nonEmptyString("mfaEnrollmentId")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("mfaEnrollmentId", ifPresent: enrollmentID)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct WithdrawMFAResponse: WireMessage {
  public var tokens: SessionTokens

  public init(tokens: SessionTokens) { self.tokens = tokens }

  public init(_ fields: WireFields) throws(WireError) { tokens = try SessionTokens(fields) }

  public func writeMembers(to writer: inout JSONWriter) { tokens.writeMembers(to: &writer) }
}
