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
