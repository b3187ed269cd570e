public import Foundation

/// Creates credentials from an email address with a password, or with an emailed link.
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
