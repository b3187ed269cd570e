public import Foundation
public import GatehouseClient

/// Creates credentials from an email address with a password, an emailed link, or six digits from
/// an email.
open class EmailAuthProvider: NSObject {
  /// `password`
  public static let id = "password"

  open class func credential(withEmail email: String, password: String) -> AuthCredential {
    EmailCredential(email: email, proof: .password(password))
  }

  /// - Parameter link: The whole link, as it was opened.
  open class func credential(withEmail email: String, link: String) -> AuthCredential {
    EmailCredential(email: email, proof: .link(link))
  }
}

extension EmailAuthProvider {
  /// Creates a credential from the six digits of an email, as the user typed them. Gatehouse's own
  /// API.
  ///
  /// - Parameter session: The result of ``Auth/sendSignInCode(toEmail:actionCodeSettings:)``.
  /// - Throws: ``AuthErrorCode/invalidVerificationCode`` if `digits` doesn't have six digits, or
  ///   has other characters than digits, spaces and hyphens.
  public static func credential(
    withEmail email: String, digits: String, of session: EmailCodeSession
  ) throws -> AuthCredential {
    guard let code = try? session.actionCode(digits: digits) else {
      throw AuthErrorCode.invalidVerificationCode.error()
    }
    return EmailCredential(email: email, proof: .code(code))
  }
}
