import Foundation
import GatehouseJSON
import GatehouseWire

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

  var path: String { "v1/accounts:sendOobCode" }

  func write(to writer: inout JSONWriter) {
    switch purpose {
    case .passwordReset(let email):
      writer.member("requestType", "PASSWORD_RESET")
      writer.member("email", email)
    case .signIn(let email):
      writer.member("requestType", "EMAIL_SIGNIN")
      writer.member("email", email)
    case .verification(let idToken):
      writer.member("requestType", "VERIFY_EMAIL")
      writer.member("idToken", idToken)
    case .emailChange(let idToken, let newEmail):
      writer.member("requestType", "VERIFY_AND_CHANGE_EMAIL")
      writer.member("idToken", idToken)
      writer.member("newEmail", newEmail)
    }
    settings?.write(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) {}
}

extension ActionLinkSettings {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("continueUrl", ifPresent: continueURL?.absoluteString)
    writer.member("canHandleCodeInApp", handleCodeInApp)
    writer.member("iOSBundleId", ifPresent: iosBundleID)
    writer.member("androidPackageName", ifPresent: androidPackageName)
    writer.member("androidMinimumVersion", ifPresent: androidMinimumVersion)
    if androidInstallIfNotAvailable { writer.member("androidInstallApp", true) }
    writer.member("linkDomain", ifPresent: linkDomain)
  }
}
