/// A proof that a phone number is the person's.
public enum PhoneCredential: Sendable, Hashable {
  /// The code of a text message, and what
  /// ``AuthClient/sendVerificationCode(to:)`` returned when it was sent.
  case code(String, verificationID: String)
  /// What the server gave in place of a code that it used up, because another account has the number.
  /// It signs in to that account without another message. Ten minutes.
  case temporaryProof(String, phoneNumber: String)
}

extension Credential {
  /// - Parameters:
  ///   - verificationID: What ``AuthClient/sendVerificationCode(to:)`` returned.
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
