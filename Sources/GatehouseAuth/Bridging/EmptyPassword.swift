import Foundation

extension AuthErrorCode {
  /// The error for an empty new password, before a request is sent.
  static var missingPassword: NSError {
    weakPassword.error(userInfo: [NSLocalizedFailureReasonErrorKey: "The password is empty."])
  }
}

extension AuthCredential {
  /// - Throws: ``AuthErrorCode/wrongPassword`` for an empty password, which is never sent.
  func checkPassword() throws {
    if let email = self as? EmailCredential, case .password("") = email.proof {
      throw AuthErrorCode.wrongPassword.error()
    }
  }
}
