/// A credential that shows that the user has a phone number.
public enum PhoneCredential: Sendable, Hashable {
  /// The code of a text message, and the result of ``AuthClient/sendVerificationCode(to:)`` for it.
  case code(String, verificationID: String)
  /// The server returns this in place of a link if the code is right and another account has the
  /// number. It signs in to that account without another message. Valid for ten minutes.
  case temporaryProof(String, phoneNumber: String)
}

extension Credential {
  /// - Parameters:
  ///   - verificationID: The result of ``AuthClient/sendVerificationCode(to:)``.
  ///   - code: The digits of the text message.
  public static func phone(verificationID: String, code: String) -> Credential {
    .phoneNumber(.code(code, verificationID: verificationID))
  }
}

/// Secrets stay out of logs.
extension PhoneCredential: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "PhoneCredential" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
