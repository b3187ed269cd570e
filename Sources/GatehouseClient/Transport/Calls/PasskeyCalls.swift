import GatehouseProtocol

/// `passkeyEnrollment:start`. The challenge of a lost response expires.
struct StartPasskeyEnrollmentCall: ServerCall {
  var request: StartPasskeyEnrollmentRequest

  var path: String { "v2/accounts/passkeyEnrollment:start" }
  var isRepeatable: Bool { true }

  func answer(_ response: StartPasskeyEnrollmentResponse) throws(WireError) -> PasskeyCreation {
    PasskeyCreation(response)
  }
}

/// `passkeyEnrollment:finalize`. The challenge can be used once.
struct FinalizePasskeyEnrollmentCall: ServerCall {
  var request: FinalizePasskeyEnrollmentRequest

  var path: String { "v2/accounts/passkeyEnrollment:finalize" }

  func answer(
    _ response: FinalizePasskeyEnrollmentResponse
  ) throws(WireError) -> FirstFactorAnswer {
    try FirstFactorAnswer(response.outcome)
  }
}

/// `passkeySignIn:start`.
struct StartPasskeySignInCall: ServerCall {
  var request: StartPasskeySignInRequest

  var path: String { "v2/accounts/passkeySignIn:start" }
  var isRepeatable: Bool { true }

  func answer(_ response: StartPasskeySignInResponse) throws(WireError) -> PasskeyRequest {
    PasskeyRequest(response)
  }
}

/// `passkeySignIn:finalize`. The challenge can be used once.
struct FinalizePasskeySignInCall: ServerCall {
  var assertion: PasskeyAssertion

  var path: String { "v2/accounts/passkeySignIn:finalize" }
  var request: FinalizePasskeySignInRequest { assertion.request }

  func answer(_ response: FirstFactorOutcome) throws(WireError) -> FirstFactorAnswer {
    try FirstFactorAnswer(response)
  }
}
