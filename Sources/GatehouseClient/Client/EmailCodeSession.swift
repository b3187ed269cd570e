import GatehouseProtocol

/// A request for an email with six digits. The user types the digits in the app within fifteen
/// minutes; the link in the email works too.
///
/// The id is a secret of the app. The app can store it while the user looks for the email. The digits
/// of an earlier email don't work with a later session.
public struct EmailCodeSession: Sendable, Hashable, Codable {
  public let id: String

  public init(id: String) { self.id = id }

  /// The action code for the digits. It works in ``AuthClient/resetPassword(code:newPassword:)``,
  /// ``AuthClient/apply(actionCode:)``, ``AuthClient/check(actionCode:)`` and
  /// ``Credential/emailCode(email:code:)``.
  ///
  /// The server refuses wrong digits with `INVALID_OOB_CODE`. After five wrong attempts it refuses the
  /// right ones too; the link still works.
  ///
  /// - Parameter digits: As the user typed them, in any script. Spaces and hyphens are ignored.
  /// - Throws: ``ClientError/invalidArgument(detail:)`` if there aren't six digits, or there is
  ///   another character.
  public func actionCode(digits: String) throws(ClientError) -> String {
    do {
      return "\(id).\(try TypedDigits(digits).text)"
    } catch {
      switch error {
      case .otherCharacter:
        throw .invalidArgument(detail: "The code has a character that is not a digit.")
      case .otherCount: throw .invalidArgument(detail: "The code doesn't have six digits.")
      }
    }
  }
}

/// Secrets stay out of logs.
extension EmailCodeSession: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "EmailCodeSession" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SentCode {
  /// - Throws: ``ClientError/badAnswer(detail:)`` for a server that sends no digits.
  func session() throws(ClientError) -> EmailCodeSession {
    guard let sessionID else {
      throw .badAnswer(detail: "The server sends no codes that can be typed.")
    }
    return EmailCodeSession(id: sessionID)
  }
}
