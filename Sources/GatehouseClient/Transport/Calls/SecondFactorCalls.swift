import GatehouseProtocol

/// What a first factor led to.
enum FirstFactorAnswer: Sendable {
  case signedIn(HeldTokens)
  case secondFactorNeeded(PendingSecondFactor)

  init(_ outcome: FirstFactorOutcome) throws(WireError) {
    switch outcome {
    case .signedIn(let tokens): self = .signedIn(try HeldTokens(tokens))
    case .secondFactorNeeded(let pending): self = .secondFactorNeeded(pending)
    }
  }

  init(_ tokens: SessionTokens?, _ pending: PendingSecondFactor?) throws(WireError) {
    if let pending {
      self = .secondFactorNeeded(pending)
    } else if let tokens {
      self = .signedIn(try HeldTokens(tokens))
    } else {
      throw WireError(field: "idToken", wanted: .string)
    }
  }

  /// - Parameter waiting: What a second factor would end.
  /// - Throws: ``ClientError/secondFactorRequired(_:)``.
  func tokens(or waiting: @autoclosure () -> WaitingSignIn) throws(ClientError) -> HeldTokens {
    switch self {
    case .signedIn(let tokens): return tokens
    case .secondFactorNeeded(let pending):
      throw .secondFactorRequired(SecondFactorResolver(pending, waiting()))
    }
  }
}

/// Who adds a factor.
enum MFAHolder: Sendable {
  case user(idToken: String)
  /// Of a sign-in that requires an enrollment.
  case signIn(pendingCredential: String)

  var idToken: String? { if case .user(let token) = self { token } else { nil } }
  var pendingCredential: String? {
    if case .signIn(let credential) = self { credential } else { nil }
  }
}

/// `mfaEnrollment:start`. Not repeated, because it may send a text message.
struct StartMFAEnrollmentCall: ServerCall {
  var factor: StartMFAEnrollmentRequest.Factor
  var holder: MFAHolder

  var path: String { "v2/accounts/mfaEnrollment:start" }

  var request: StartMFAEnrollmentRequest {
    var request = StartMFAEnrollmentRequest(factor: factor)
    request.idToken = holder.idToken
    request.pendingCredential = holder.pendingCredential
    return request
  }

  func answer(
    _ response: StartMFAEnrollmentResponse
  ) throws(WireError) -> StartMFAEnrollmentResponse { response }
}

/// `mfaEnrollment:finalize`. The code can be used once.
struct FinalizeMFAEnrollmentCall: ServerCall {
  var factor: NewSecondFactor
  var displayName: String?
  var holder: MFAHolder?

  var path: String { "v2/accounts/mfaEnrollment:finalize" }

  func by(_ holder: MFAHolder) -> FinalizeMFAEnrollmentCall {
    FinalizeMFAEnrollmentCall(factor: factor, displayName: displayName, holder: holder)
  }

  var request: FinalizeMFAEnrollmentRequest {
    let verification: FinalizeMFAEnrollmentRequest.Verification =
      switch factor {
      case .totp(let secret, let code): .totp(sessionInfo: secret.sessionInfo, code: code)
      case .phone(let code, let verificationID):
        .phone(PhoneVerificationInfo(sessionInfo: verificationID, code: code))
      }
    var request = FinalizeMFAEnrollmentRequest(verification: verification)
    request.idToken = holder?.idToken
    request.pendingCredential = holder?.pendingCredential
    request.displayName = displayName
    return request
  }

  func answer(
    _ response: FinalizeMFAEnrollmentResponse
  ) throws(WireError) -> (tokens: HeldTokens, recoveryCodes: [String]) {
    (try HeldTokens(response.tokens), response.recoveryCodes)
  }
}

/// `mfaEnrollment:withdraw`.
struct WithdrawMFACall: ServerCall {
  var idToken: String
  var enrollmentID: String

  var path: String { "v2/accounts/mfaEnrollment:withdraw" }

  var request: WithdrawMFARequest {
    WithdrawMFARequest(idToken: idToken, enrollmentID: enrollmentID)
  }

  func answer(_ response: WithdrawMFAResponse) throws(WireError) -> HeldTokens {
    try HeldTokens(response.tokens)
  }
}

/// `mfaSignIn:start`: sends a text message.
struct StartMFASignInCall: ServerCall {
  var pendingCredential: String
  var enrollmentID: String

  var path: String { "v2/accounts/mfaSignIn:start" }

  var request: StartMFASignInRequest {
    StartMFASignInRequest(pendingCredential: pendingCredential, enrollmentID: enrollmentID)
  }

  func answer(_ response: StartMFASignInResponse) throws(WireError) -> String {
    response.sessionInfo
  }
}

/// `mfaSignIn:finalize`. The code can be used once.
struct FinalizeMFASignInCall: ServerCall {
  var pendingCredential: String
  var proof: SecondFactorProof

  var path: String { "v2/accounts/mfaSignIn:finalize" }

  var request: FinalizeMFASignInRequest {
    let verification: FinalizeMFASignInRequest.Verification =
      switch proof {
      case .totp(let code, _): .totp(code: code)
      case .phone(let code, let verificationID):
        .phone(PhoneVerificationInfo(sessionInfo: verificationID, code: code))
      case .recoveryCode(let code): .recoveryCode(code)
      case .passkey(let assertion):
        .passkey((try? JSONObject(parsing: assertion.request.json())) ?? [:])
      }
    var request = FinalizeMFASignInRequest(
      pendingCredential: pendingCredential, verification: verification)
    if case .totp(_, let factorID) = proof { request.enrollmentID = factorID }
    return request
  }

  func answer(_ response: FinalizeMFASignInResponse) throws(WireError) -> HeldTokens {
    try HeldTokens(response.tokens)
  }
}

/// `recoveryCodes:create`. Not repeated: the codes of a lost response are replaced by the next call.
struct CreateRecoveryCodesCall: ServerCall {
  var idToken: String

  var path: String { "v2/accounts/recoveryCodes:create" }

  var request: CreateRecoveryCodesRequest { CreateRecoveryCodesRequest(idToken: idToken) }

  func answer(_ response: CreateRecoveryCodesResponse) throws(WireError) -> [String] {
    response.recoveryCodes
  }
}
