public import Foundation
package import GatehouseClient

/// A verification code from a text message, or the temporary proof that the server returned in its
/// place.
///
/// ``PhoneAuthProvider/credential(withVerificationID:verificationCode:)`` creates a credential from
/// a code.
///
/// An archive contains its secrets unencrypted: store the archive where secrets are kept.
// `@unchecked`: no lock, because nothing changes after `init`.
open class PhoneAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  package let value: PhoneCredential

  package init(_ value: PhoneCredential) {
    self.value = value
    super.init(provider: PhoneAuthProviderID, proof: .phoneNumber(value))
  }

  package convenience init(verificationID: String, verificationCode: String) {
    self.init(.code(verificationCode, verificationID: verificationID))
  }

  /// The credential for the server.
  ///
  /// - Throws: ``AuthErrorCode/missingVerificationID`` or ``AuthErrorCode/missingVerificationCode``
  ///   if that value is empty: an empty one is never sent.
  package func phoneCredential() throws(NSError) -> PhoneCredential {
    if case .code(let code, let verificationID) = value {
      if verificationID.isEmpty { throw AuthErrorCode.missingVerificationID.error() }
      if code.isEmpty { throw AuthErrorCode.missingVerificationCode.error() }
    }
    return value
  }

  override package func clientCredential() throws(NSError) -> Credential {
    .phoneNumber(try phoneCredential())
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  public func encode(with coder: NSCoder) {
    switch value {
    case .code(let code, let verificationID):
      coder.encode(text: verificationID, forKey: "verificationID")
      coder.encode(text: code, forKey: "verificationCode")
    case .temporaryProof(let proof, let phoneNumber):
      coder.encode(text: proof, forKey: "temporaryProof")
      coder.encode(text: phoneNumber, forKey: "phoneNumber")
    }
  }

  public required init?(coder: NSCoder) {
    if let proof = coder.text("temporaryProof"), let phoneNumber = coder.text("phoneNumber") {
      value = .temporaryProof(proof, phoneNumber: phoneNumber)
    } else if let verificationID = coder.text("verificationID"),
      let code = coder.text("verificationCode")
    {
      value = .code(code, verificationID: verificationID)
    } else {
      return nil
    }
    super.init(provider: PhoneAuthProviderID, proof: .phoneNumber(value))
  }
}
