public import Foundation
import GatehouseProtocol

/// The secret that an authenticator app gets once, before the user adds it as a second factor.
public struct AuthenticatorSecret: Sendable, Hashable {
  /// Base32 without padding (RFC 4648 §6), for a user who types it.
  public let sharedSecretKey: String
  /// How many digits a code has.
  public let codeLength: Int
  /// `SHA1`
  public let hashAlgorithm: String
  /// How long a code is shown.
  public let periodSeconds: Int
  /// When the server forgets the secret unless the user has shown a code.
  public let enrollmentDeadline: Date?
  let sessionInfo: String

  init(_ info: TOTPSessionInfo) {
    sharedSecretKey = info.sharedSecretKey
    codeLength = info.verificationCodeLength
    hashAlgorithm = info.hashingAlgorithm
    periodSeconds = info.periodSeconds
    enrollmentDeadline = info.finalizeEnrollmentTime.flatMap { Date(wireText: $0) }
    sessionInfo = info.sessionInfo
  }

  /// The text of a QR code that authenticator apps scan. As a link, it opens such an app on the same
  /// device.
  ///
  /// - Parameters:
  ///   - accountName: What the app shows as the user's name, such as an email address. May be empty.
  ///   - issuer: What it shows as the name of the service.
  public func url(accountName: String, issuer: String) -> URL? {
    let (name, issuer) = (PercentEncoding.encoded(accountName), PercentEncoding.encoded(issuer))
    return URL(
      string:
        "otpauth://totp/\(issuer)\(name.isEmpty ? "" : ":\(name)")?secret=\(sharedSecretKey)&issuer=\(issuer)"
        + "&algorithm=\(hashAlgorithm)&digits=\(codeLength)&period=\(periodSeconds)")
  }
}

/// The secret stays out of logs.
extension AuthenticatorSecret: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "AuthenticatorSecret" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
