internal import GatehouseClient

/// An email address with a password, with an emailed link, or with a code from an email.
// `@unchecked`: no lock, because nothing changes after `init`.
package final class EmailCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  package enum Proof: Sendable, Hashable {
    case password(String)
    case link(String)
    /// See `EmailCodeSession`.
    case code(String)
  }

  package let email: String
  package let proof: Proof

  package init(email: String, proof: Proof) {
    self.email = email
    self.proof = proof
    let credential: Credential =
      switch proof {
      case .password(let password): .password(email: email, password: password)
      case .link(let link): .emailLink(email: email, link: link)
      case .code(let code): .emailCode(email: email, code: code)
      }
    super.init(provider: EmailAuthProviderID, proof: credential)
  }

  package static let supportsSecureCoding = true

  package func encode(with coder: NSCoder) {
    coder.encode(email as NSString, forKey: "email")
    switch proof {
    case .password(let password): coder.encode(password as NSString, forKey: "password")
    case .link(let link): coder.encode(link as NSString, forKey: "link")
    case .code(let code): coder.encode(code as NSString, forKey: "code")
    }
  }

  package convenience init?(coder: NSCoder) {
    guard let email = coder.text("email") else { return nil }
    if let password = coder.text("password") {
      self.init(email: email, proof: .password(password))
    } else if let link = coder.text("link") {
      self.init(email: email, proof: .link(link))
    } else if let code = coder.text("code") {
      self.init(email: email, proof: .code(code))
    } else {
      return nil
    }
  }
}
