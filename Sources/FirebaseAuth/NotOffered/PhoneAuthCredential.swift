public import Foundation

/// A code that came by text message.
///
/// The server sends no text messages, so this is refused with ``AuthErrorCode/operationNotAllowed``
/// wherever it is used.
// `@unchecked`: no lock, because nothing changes after `init`.
open class PhoneAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  package let verificationID: String
  package let verificationCode: String

  package init(verificationID: String, verificationCode: String) {
    self.verificationID = verificationID
    self.verificationCode = verificationCode
    super.init(provider: PhoneAuthProviderID, proof: nil)
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  public func encode(with coder: NSCoder) {
    coder.encode(text: verificationID, forKey: "verificationID")
    coder.encode(text: verificationCode, forKey: "verificationCode")
  }

  public required init?(coder: NSCoder) {
    guard
      let verificationID = coder.text("verificationID"),
      let verificationCode = coder.text("verificationCode")
    else { return nil }
    self.verificationID = verificationID
    self.verificationCode = verificationCode
    super.init(provider: PhoneAuthProviderID, proof: nil)
  }
}
