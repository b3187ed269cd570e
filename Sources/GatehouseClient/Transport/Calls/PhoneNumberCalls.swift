import GatehouseJSON
import GatehouseWire

/// `accounts:sendVerificationCode`. Costs a text message.
struct SendVerificationCodeCall: ServerCall {
  var phoneNumber: String

  var path: String { "v1/accounts:sendVerificationCode" }

  func write(to writer: inout JSONWriter) { writer.member("phoneNumber", phoneNumber) }

  func answer(_ fields: WireFields) throws(WireError) -> String {
    try fields.requiredString("sessionInfo")
  }
}

/// `accounts:signInWithPhoneNumber`. A code is good once.
struct SignInWithPhoneNumberCall: ServerCall {
  enum Operation: Sendable {
    case signUpOrIn, link, update, reauthenticate

    fileprivate var wire: SignInWithPhoneNumberRequest.Operation {
      switch self {
      case .signUpOrIn: .signUpOrIn
      case .link: .link
      case .update: .update
      case .reauthenticate: .reauthenticate
      }
    }
  }

  var credential: PhoneCredential
  var operation: Operation
  var idToken: String?
  var consent: Consent?

  var path: String { "v1/accounts:signInWithPhoneNumber" }

  func write(to writer: inout JSONWriter) {
    switch credential {
    case .code(let code, let verificationID):
      writer.member("sessionInfo", verificationID)
      writer.member("code", code)
    case .temporaryProof(let proof, let phoneNumber):
      writer.member("temporaryProof", proof)
      writer.member("phoneNumber", phoneNumber)
    }
    writer.member("operation", operation.wire.wireName)
    writer.member("idToken", ifPresent: idToken)
    consent?.write(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) -> PhoneSignInAnswer {
    guard let proof = try fields.nonEmptyString("temporaryProof") else {
      return .signedIn(try NewableSignIn(fields))
    }
    return .numberInUse(
      .temporaryProof(proof, phoneNumber: try fields.requiredString("phoneNumber")))
  }
}

enum PhoneSignInAnswer: Sendable {
  case signedIn(NewableSignIn)
  /// Another account has the number, and this signs in to it.
  case numberInUse(PhoneCredential)

  /// - Throws: ``ClientError/phoneNumberInUse(updated:)``.
  func signIn() throws(ClientError) -> NewableSignIn {
    switch self {
    case .signedIn(let signIn): return signIn
    case .numberInUse(let updated): throw .phoneNumberInUse(updated: updated)
    }
  }
}
