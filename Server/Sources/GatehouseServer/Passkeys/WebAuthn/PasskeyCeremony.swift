import Crypto
import Foundation
import GatehouseProtocol

/// What a registration or an authentication must match (WebAuthn §7.1, §7.2).
struct PasskeyCeremony: Sendable {
  let challenge: [UInt8]
  let relyingParty: RelyingParty

  /// The length of an attestation object or a signature. Bytes.
  private static let maximumBytes = CBORReader.maximumBytes

  /// Verifies the answer to a registration.
  ///
  /// An attestation statement of any format must be well-formed. It isn't verified and says nothing here:
  /// the server asks for none.
  ///
  /// - Parameter id: The credential id that the client named beside the attestation object.
  /// - Throws: ``WebAuthnFault``.
  func verifyRegistration(
    id: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8]
  ) throws(WebAuthnFault) -> CreatedCredential {
    try ClientData.check(clientDataJSON, is: "webauthn.create", expecting: self)
    let authenticatorData = try Self.authenticatorData(in: attestationObject)
    try check(authenticatorData)
    guard let attested = authenticatorData.attested else { throw .credentialMissing }
    guard attested.id == id else { throw .credentialID }
    return CreatedCredential(
      id: attested.id, publicKey: attested.keyBytes, algorithm: attested.key.algorithm,
      aaguid: attested.aaguid, signCount: authenticatorData.signCount,
      flags: authenticatorData.flags)
  }

  /// Verifies the answer to an authentication.
  ///
  /// Doesn't check whose credential it is, nor the counter: a cloned authenticator is the caller's to judge.
  ///
  /// - Parameter key: The stored public key of the credential that the client named.
  /// - Throws: ``WebAuthnFault``.
  func verifyAssertion(
    by key: COSEKey, clientDataJSON: [UInt8], authenticatorData bytes: [UInt8],
    signature: [UInt8]
  ) throws(WebAuthnFault) -> AuthenticatorData {
    try ClientData.check(clientDataJSON, is: "webauthn.get", expecting: self)
    guard bytes.count <= Self.maximumBytes, signature.count <= Self.maximumBytes else {
      throw .authenticatorData
    }
    let authenticatorData = try AuthenticatorData(bytes)
    try check(authenticatorData)
    // "Using credentialPublicKey, verify that sig is a valid signature over the binary concatenation of
    // authData and hash" (§7.2).
    guard key.isValid(signature, of: bytes + Array(SHA256.hash(data: clientDataJSON))) else {
      throw .signature
    }
    return authenticatorData
  }

  /// The three members of an attestation object (§6.5.4).
  static func authenticatorData(
    in attestationObject: [UInt8]
  ) throws(WebAuthnFault) -> AuthenticatorData {
    let object: CBOR
    do throws(CBORError) { object = try CBORReader.read(attestationObject) } catch {
      throw .cbor(error)
    }
    guard case .map(let members) = object, members.count == 3,
      let format = object["fmt"]?.text, let statement = object["attStmt"],
      let bytes = object["authData"]?.bytes
    else { throw .attestation }
    switch statement {
    // "none": "The attestation statement is an empty map" (§8.7).
    case .map(let members): guard format != "none" || members.isEmpty else { throw .attestation }
    // "compound" (§8.9).
    case .array: guard format == "compound" else { throw .attestation }
    default: throw .attestation
    }
    return try AuthenticatorData(bytes)
  }

  private func check(_ data: AuthenticatorData) throws(WebAuthnFault) {
    guard data.relyingPartyHash == Array(SHA256.hash(data: Array(relyingParty.id.utf8))) else {
      throw .relyingParty
    }
    guard data.flags.contains(.userPresent) else { throw .userNotPresent }
    guard !relyingParty.requiresUserVerification || data.flags.contains(.userVerified) else {
      throw .userNotVerified
    }
  }
}

/// A credential from a verified registration. Only ``PasskeyCeremony`` creates it.
struct CreatedCredential: Sendable {
  let id: [UInt8]
  /// COSE_Key, in canonical CBOR.
  let publicKey: [UInt8]
  let algorithm: COSEAlgorithm
  let aaguid: UUID
  let signCount: UInt32
  let flags: AuthenticatorData.Flags

  fileprivate init(
    id: [UInt8], publicKey: [UInt8], algorithm: COSEAlgorithm, aaguid: UUID, signCount: UInt32,
    flags: AuthenticatorData.Flags
  ) {
    self.id = id
    self.publicKey = publicKey
    self.algorithm = algorithm
    self.aaguid = aaguid
    self.signCount = signCount
    self.flags = flags
  }
}

/// Why the answer of an authenticator is rejected. `==` compares everything.
package enum WebAuthnFault: Error, Hashable {
  /// The client data isn't a JSON object with the members of §5.8.1.
  case clientData
  /// The ceremony is of another type.
  case type
  case challenge
  case origin
  /// A page of another origin embeds the page on which the ceremony took place.
  case crossOrigin
  case attestation
  case cbor(CBORError)
  case authenticatorData
  case relyingParty
  case userNotPresent
  case userNotVerified
  /// Backed up, but not eligible for backup; or the eligibility changed since the registration.
  case backupFlags
  /// A registration without a credential.
  case credentialMissing
  /// The client names another credential than the authenticator.
  case credentialID
  /// The algorithm of a key that the registration didn't ask for.
  case algorithm(Int)
  case publicKey
  case signature
  /// The authenticator names another user than the credential's, or none where it has to.
  case userHandle
  /// The challenge wasn't issued by this server for this project and ceremony.
  case challengeNotIssued
  case challengeExpired
  case challengeUsed
  /// The challenge was issued to another account.
  case otherAccount
  /// The counter didn't rise: another authenticator may have a copy of the credential.
  case counter

  var detail: String {
    switch self {
    case .clientData: "clientDataJSON can't be read."
    case .type: "clientDataJSON is of another type of ceremony."
    case .challenge: "clientDataJSON has another challenge."
    case .origin: "The origin is not one of the project's."
    case .crossOrigin: "A page of another origin embeds the page."
    case .attestation: "The attestation object has not the members of WebAuthn."
    case .cbor(let error):
      "The CBOR is not canonical: \(error.code.rawValue) at byte \(error.offset)."
    case .authenticatorData: "The authenticator data can't be read."
    case .relyingParty: "The authenticator answered for another relying party."
    case .userNotPresent: "The user was not present."
    case .userNotVerified: "The user was not verified."
    case .backupFlags: "The backup flags contradict each other or the registration."
    case .credentialMissing: "The authenticator created no credential."
    case .credentialID: "The id is not that of the created credential."
    case .algorithm(let number): "The algorithm \(number) was not asked for."
    case .publicKey: "The public key can't be used."
    case .signature: "The signature is not valid."
    case .userHandle: "The user handle is another user's."
    case .challengeNotIssued: "The challenge was not issued by this server for this use."
    case .challengeExpired: "The challenge has expired. Start again."
    case .challengeUsed: "The challenge was used before. Start again."
    case .otherAccount: "The challenge was issued to another account."
    case .counter: "The counter of the authenticator went back."
    }
  }
}
