public import Foundation
import GatehouseProtocol

/// A passkey of an account, in ``UserSnapshot/passkeys``.
public struct Passkey: Sendable, Hashable, Codable, Identifiable {
  /// The credential's id, in standard base64 with padding.
  public var id: String
  public var name: String
  /// The id of the account in the passkey, which is not the uid. Nil from another server.
  public var userHandle: Data?
  public var createdAt: Date?
  public var lastUsedAt: Date?

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  init(_ info: PasskeyInfo) {
    self.init(id: info.credentialID, name: info.name)
    userHandle = info.userHandle.flatMap { Data(base64Encoded: $0) }
    createdAt = info.createdAt.flatMap { Date(wireMilliseconds: $0) }
    lastUsedAt = info.lastUsedAt.flatMap { Date(wireMilliseconds: $0) }
  }
}

/// What the device needs to create a passkey (WebAuthn §5.4).
public struct PasskeyCreation: Sendable, Hashable {
  /// The domain of the passkey.
  public var relyingPartyID: String
  public var challenge: Data
  public var userHandle: Data
  /// What the device shows as the account's name.
  public var userName: String
  /// The account's passkeys. A device that has one of them creates no other.
  public var excluded: [Data]
  public var requiresUserVerification: Bool

  init(_ response: StartPasskeyEnrollmentResponse) {
    relyingPartyID = response.relyingPartyID
    challenge = Data(response.challenge)
    userHandle = Data(response.userID)
    userName = response.userName
    excluded = response.excluded.map { Data($0.id) }
    requiresUserVerification = response.userVerification == "required"
  }
}

/// What the device needs to sign in with a passkey (WebAuthn §5.5).
public struct PasskeyRequest: Sendable, Hashable {
  public var relyingPartyID: String
  public var challenge: Data
  /// The passkeys among which the user chooses. Empty: those that the device has for the domain.
  public var allowed: [Data]
  public var requiresUserVerification: Bool

  init(_ response: StartPasskeySignInResponse) {
    relyingPartyID = response.relyingPartyID
    challenge = Data(response.challenge)
    allowed = response.allowed.map { Data($0.id) }
    requiresUserVerification = response.userVerification == "required"
  }
}

/// A new passkey, as the device returns it.
public struct PasskeyRegistration: Sendable, Hashable {
  public var credentialID: Data
  public var clientDataJSON: Data
  public var attestationObject: Data

  public init(credentialID: Data, clientDataJSON: Data, attestationObject: Data) {
    self.credentialID = credentialID
    self.clientDataJSON = clientDataJSON
    self.attestationObject = attestationObject
  }

  var request: FinalizePasskeyEnrollmentRequest {
    FinalizePasskeyEnrollmentRequest(
      credentialID: Array(credentialID), clientDataJSON: Array(clientDataJSON),
      attestationObject: Array(attestationObject))
  }
}

/// The device's signature with a passkey. Works once.
public struct PasskeyAssertion: Sendable, Hashable {
  public var credentialID: Data
  public var clientDataJSON: Data
  public var authenticatorData: Data
  public var signature: Data
  public var userHandle: Data

  public init(
    credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data,
    userHandle: Data
  ) {
    self.credentialID = credentialID
    self.clientDataJSON = clientDataJSON
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.userHandle = userHandle
  }

  var request: FinalizePasskeySignInRequest {
    FinalizePasskeySignInRequest(
      credentialID: Array(credentialID), clientDataJSON: Array(clientDataJSON),
      authenticatorData: Array(authenticatorData), signature: Array(signature),
      userHandle: Array(userHandle))
  }
}

extension PasskeyAssertion: CustomStringConvertible, CustomReflectable {
  public var description: String { "PasskeyAssertion" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PasskeyRegistration: CustomStringConvertible, CustomReflectable {
  public var description: String { "PasskeyRegistration" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
