public import Foundation
import GatehouseClient

/// A passkey of an account.
public final class PasskeyInfo: NSObject, NSSecureCoding, Sendable {
  public let name: String?
  /// In standard base64, for ``User/unenrollPasskey(withCredentialID:)``.
  public let credentialID: String?

  init(_ passkey: Passkey) {
    name = passkey.name
    credentialID = passkey.id
  }

  // MARK: NSSecureCoding

  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(text: name, forKey: "name")
    coder.encode(text: credentialID, forKey: "credentialId")
  }

  public required init?(coder: NSCoder) {
    name = coder.text("name")
    credentialID = coder.text("credentialId")
  }
}

extension User {
  /// The account's passkeys that this device knows.
  public var enrolledPasskeys: [PasskeyInfo]? { person.snapshot.passkeys.map { PasskeyInfo($0) } }

  /// Removes a passkey from the account.
  ///
  /// - Parameter credentialID: ``PasskeyInfo/credentialID``.
  /// - Throws: ``AuthErrorCode/missingPasskeyEnrollment``, before a request is sent, for an empty id;
  ///   ``AuthErrorCode/requiresRecentLogin``; ``AuthErrorCode/operationNotAllowed`` if it is the last way
  ///   to sign in.
  public func unenrollPasskey(withCredentialID credentialID: String) async throws {
    if credentialID.isEmpty { throw AuthErrorCode.missingPasskeyEnrollment.error() }
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.removePasskeys([credentialID])
    }
  }
}
