import Foundation
import GatehouseProtocol

/// `accounts:sendOobCode`: sends a code by email. Not repeated, because the user would get a second
/// email.
struct SendOobCodeCall: ServerCall {
  enum Purpose: Sendable {
    case passwordReset(email: String)
    case signIn(email: String)
    case verification(idToken: String)
    case emailChange(idToken: String, newEmail: String)
  }

  var purpose: Purpose
  var settings: ActionLinkSettings?
  /// Whether the email also has six digits, which the user can type.
  var isTyped = false

  var path: String { "v1/accounts:sendOobCode" }

  var request: SendOobCodeRequest {
    var request: SendOobCodeRequest
    switch purpose {
    case .passwordReset(let email):
      request = SendOobCodeRequest(type: .passwordReset)
      request.email = email
    case .signIn(let email):
      request = SendOobCodeRequest(type: .emailSignIn)
      request.email = email
    case .verification(let idToken):
      request = SendOobCodeRequest(type: .emailVerification)
      request.idToken = idToken
    case .emailChange(let idToken, let newEmail):
      request = SendOobCodeRequest(type: .emailChange)
      request.idToken = idToken
      request.newEmail = newEmail
    }
    if let settings { request.add(settings) }
    request.withVerificationCode = isTyped
    return request
  }

  func answer(_ response: SendOobCodeResponse) throws(WireError) -> SentCode {
    SentCode(sessionID: response.sessionInfo)
  }
}

struct SentCode: Sendable {
  var sessionID: String?
}

extension SendOobCodeRequest {
  fileprivate mutating func add(_ settings: ActionLinkSettings) {
    continueURL = settings.continueURL?.absoluteString
    canHandleCodeInApp = settings.handleCodeInApp
    iOSBundleID = settings.iosBundleID
    androidPackageName = settings.androidPackageName
    androidMinimumVersion = settings.androidMinimumVersion
    androidInstallApp = settings.androidInstallIfNotAvailable
    linkDomain = settings.linkDomain
  }
}

/// `accounts:resetPassword`: returns what a code is for. With a new password, it sets the password
/// and uses the code up.
struct ResetPasswordCall: ServerCall {
  var code: String
  var newPassword: String?

  var path: String { "v1/accounts:resetPassword" }
  /// Without a new password, the code isn't used up.
  var isRepeatable: Bool { newPassword == nil }

  var request: ResetPasswordRequest { ResetPasswordRequest(code: code, newPassword: newPassword) }

  func answer(_ response: ResetPasswordResponse) throws(WireError) -> ActionCodeContents {
    ActionCodeContents(
      requestType: response.typeName, email: response.email, newEmail: response.newEmail)
  }
}

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
      .signedIn(NewableSignIn(answer: .signedIn(try HeldTokens(tokens)), isNewUser: isNewUser))
    case .secondFactorNeeded(let pending, _):
      .signedIn(NewableSignIn(answer: .secondFactorNeeded(pending), isNewUser: false))
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
