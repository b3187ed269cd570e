import GatehouseProtocol

/// `accounts:sendVerificationCode`. Not repeated, because each call sends a text message.
struct SendVerificationCodeCall: ServerCall {
  var phoneNumber: String

  var path: String { "v1/accounts:sendVerificationCode" }

  var request: SendVerificationCodeRequest {
    SendVerificationCodeRequest(phoneNumber: phoneNumber)
  }

  func answer(_ response: SendVerificationCodeResponse) throws(WireError) -> String {
    response.sessionInfo
  }
}

/// `accounts:signInWithPhoneNumber`. Not repeated, because a code can be used once.
struct SignInWithPhoneNumberCall: ServerCall {
  var credential: PhoneCredential
  var operation: SignInWithPhoneNumberRequest.Operation
  var idToken: String?
  var consent: Consent?

  var path: String { "v1/accounts:signInWithPhoneNumber" }

  var request: SignInWithPhoneNumberRequest {
    var request = SignInWithPhoneNumberRequest(operation: operation)
    switch credential {
    case .code(let code, let verificationID):
      request.sessionInfo = verificationID
      request.code = code
    case .temporaryProof(let proof, let phoneNumber):
      request.temporaryProof = proof
      request.phoneNumber = phoneNumber
    }
    request.idToken = idToken
    request.consent = consent.map { ConsentMessage($0) }
    return request
  }

  func answer(_ response: SignInWithPhoneNumberResponse) throws(WireError) -> PhoneSignInAnswer {
    switch response.outcome {
    case .signedIn(_, let isNewUser, let tokens):
      .signedIn(NewableSignIn(tokens: try HeldTokens(tokens), isNewUser: isNewUser))
    case .temporaryProof(let proof, _):
      .numberInUse(.temporaryProof(proof, phoneNumber: response.phoneNumber))
    }
  }
}

enum PhoneSignInAnswer: Sendable {
  case signedIn(NewableSignIn)
  /// Another account has the number, and this credential signs in to it.
  case numberInUse(PhoneCredential)

  /// - Throws: ``ClientError/phoneNumberInUse(updated:)``.
  func signIn() throws(ClientError) -> NewableSignIn {
    switch self {
    case .signedIn(let signIn): return signIn
    case .numberInUse(let updated): throw .phoneNumberInUse(updated: updated)
    }
  }
}
