public import Foundation
import GatehouseProtocol

/// A second factor of an account: what a sign-in asks for after a password, a provider's token or a
/// code.
public struct SecondFactor: Sendable, Hashable, Codable, Identifiable {
  /// The server's id of the enrollment.
  public var id: String
  public var kind: Kind
  /// The name that the user gave the factor.
  public var displayName: String?
  public var enrolledAt: Date?

  public enum Kind: Sendable, Hashable, Codable {
    /// A phone that gets codes by text message. Most digits of the number are hidden.
    case phone(number: String)
    /// An authenticator app (RFC 6238).
    case totp
  }

  public init(id: String, kind: Kind, displayName: String? = nil, enrolledAt: Date? = nil) {
    self.id = id
    self.kind = kind
    self.displayName = displayName
    self.enrolledAt = enrolledAt
  }

  /// Nil for a factor without an id, and for a kind that this version doesn't know.
  init?(_ enrollment: MFAEnrollment) {
    guard let id = enrollment.enrollmentID else { return nil }
    self.id = id
    if let number = enrollment.phoneInfo {
      kind = .phone(number: number)
    } else if enrollment.isTOTP {
      kind = .totp
    } else {
      return nil
    }
    displayName = enrollment.displayName
    enrolledAt = enrollment.enrolledAt.flatMap { Date(wireText: $0) }
  }
}

extension Date {
  /// RFC 3339, with or without a fraction of a second; nil for another text.
  init?(wireText text: String) {
    let format = Date.ISO8601FormatStyle(
      includingFractionalSeconds: text.utf8.contains(UInt8(ascii: ".")))
    guard let date = try? format.parse(text) else { return nil }
    self = date
  }
}

/// What shows that the user has a second factor.
public enum SecondFactorProof: Sendable, Hashable {
  /// The code that an authenticator app shows now.
  case totp(code: String, factorID: String)
  /// The code of a text message, and the result of ``SecondFactorSession/sendCode(to:)`` for it.
  case phone(code: String, verificationID: String)
  /// One of the account's recovery codes. It can't be used again.
  case recoveryCode(String)
  /// The device's answer to ``SecondFactorResolver/startPasskey()``.
  case passkey(PasskeyAssertion)
}

/// Codes stay out of logs.
extension SecondFactorProof: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String {
    switch self {
    case .totp: "totp"
    case .phone: "phone"
    case .recoveryCode: "recoveryCode"
    case .passkey: "passkey"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
