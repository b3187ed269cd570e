package import Foundation
import GatehouseProtocol

/// A passkey of an account: the public key of a credential that the user's authenticator holds
/// (WebAuthn §4, "Credential Record").
package struct Passkey: Hashable, Sendable {
  /// Unique in the project.
  package let credentialID: [UInt8]
  /// COSE_Key, in canonical CBOR.
  package let publicKey: [UInt8]
  /// The key's algorithm as a number of COSE.
  package let algorithm: Int
  /// The authenticator's counter at the last ceremony; 0 if it has none.
  package var signCount: UInt32
  /// Whether the authenticator may copy the passkey to other devices. It never changes.
  package let isBackupEligible: Bool
  /// Whether it is copied.
  package var isBackedUp: Bool
  /// How a browser reaches the authenticator, such as `internal` and `hybrid`.
  package var transports: [String] = []
  /// The model of the authenticator; nil if it doesn't say.
  package var aaguid: UUID?
  /// What the user sees in a list.
  package var name: String
  /// Random. The same for all passkeys of an account, and not its id: authenticators show it to whoever
  /// holds them (WebAuthn §14.6.1).
  package let userHandle: [UInt8]
  package let createdAt: Date
  package var lastUsedAt: Date?
  /// Like ``LinkedIdentity/unconfirmedSince``.
  package var unconfirmedSince: Date?

  package static let maximumPerAccount = 20
  package static let userHandleBytes = 32
  package static let defaultName = "Unnamed Passkey"
  package static let maximumNameUnits = 128
  static let maximumTransports = 8
  static let maximumTransportBytes = 32

  init(
    _ created: CreatedCredential, name: String, transports: [String], userHandle: [UInt8],
    now: Date
  ) {
    credentialID = created.id
    publicKey = created.publicKey
    algorithm = created.algorithm.rawValue
    signCount = created.signCount
    isBackupEligible = created.flags.contains(.backupEligible)
    isBackedUp = created.flags.contains(.backedUp)
    let isAnonymous = created.aaguid == UUID(bytes: [UInt8](repeating: 0, count: 16))
    aaguid = isAnonymous ? nil : created.aaguid
    self.name = name
    self.userHandle = userHandle
    createdAt = now.wholeMilliseconds
    self.transports = Self.known(transports)
  }

  /// What a client says about transports is only passed on to browsers, which ignore unknown values.
  private static func known(_ transports: [String]) -> [String] {
    let names = transports.filter { name in
      (1...maximumTransportBytes).contains(name.utf8.count)
        && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
    }
    return Array(Set(names).sorted().prefix(maximumTransports))
  }
}

/// How many passkeys an account has. The account's row has the numbers, so that a sign-in that uses no
/// passkey needn't read any.
///
/// ``Transaction/save(_:replacing:in:now:)`` applies a change of the numbers to the passkeys: see
/// ``Transaction/followPasskeys(of:replacing:in:)``.
package struct PasskeyCount: Hashable, Sendable {
  package var all = 0
  /// Those with ``Passkey/unconfirmedSince``.
  package var unconfirmed = 0

  package init() {}
}

extension PasskeyInfo {
  init(_ passkey: Passkey) {
    self.init(
      name: passkey.name, credentialID: Data(passkey.credentialID).base64EncodedString())
    userHandle = Data(passkey.userHandle).base64EncodedString()
    createdAt = UserInfo.milliseconds(passkey.createdAt)
    lastUsedAt = passkey.lastUsedAt.map(UserInfo.milliseconds)
    isBackedUp = passkey.isBackedUp
    aaguid = passkey.aaguid?.uuidString.asciiLowercased
  }
}
