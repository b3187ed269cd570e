public import Foundation

/// Makes credentials of an email address with a password, or with a link that was mailed.
open class EmailAuthProvider: NSObject {
  /// `password`
  public static let id = "password"

  open class func credential(withEmail email: String, password: String) -> AuthCredential {
    EmailCredential(email: email, proof: .password(password))
  }

  /// - Parameter link: Whole, as it was opened.
  open class func credential(withEmail email: String, link: String) -> AuthCredential {
    EmailCredential(email: email, proof: .link(link))
  }
}
