import Foundation

// What a client writes about passkeys, in the form of Google's clients: bytes in standard base64.

extension FinalizePasskeyEnrollmentRequest: WireMessage {
  public init(credentialID: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8]) {
    credential = Credential(
      id: Data(credentialID).base64EncodedString(),
      clientDataJSON: Data(clientDataJSON).base64EncodedString(),
      attestationObject: Data(attestationObject).base64EncodedString(), transports: [])
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("mfaPendingCredential", ifPresent: pendingCredential)
    writer.member("name", ifPresent: name)
    writer.member("email", ifPresent: email)
    writer.member("displayName", ifPresent: displayName)
    guard let credential else { return }
    writer.object("authenticatorRegistrationResponse") { answer in
      answer.member("id", credential.id)
      answer.object("response") { response in
        response.member("clientDataJSON", credential.clientDataJSON)
        response.member("attestationObject", credential.attestationObject)
        if !credential.transports.isEmpty { response.member("transports", credential.transports) }
      }
    }
  }
}

extension FinalizePasskeySignInRequest: WireMessage {
  public init(
    credentialID: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8],
    signature: [UInt8], userHandle: [UInt8]
  ) {
    credential = Credential(
      id: Data(credentialID).base64EncodedString(),
      clientDataJSON: Data(clientDataJSON).base64EncodedString(),
      authenticatorData: Data(authenticatorData).base64EncodedString(),
      signature: Data(signature).base64EncodedString(),
      userHandle: userHandle.isEmpty ? nil : Data(userHandle).base64EncodedString())
  }

  public func writeMembers(to writer: inout JSONWriter) {
    guard let credential else { return }
    writer.object("authenticatorAuthenticationResponse") { answer in
      answer.member("id", credential.id)
      answer.object("response") { response in
        response.member("clientDataJSON", credential.clientDataJSON)
        response.member("authenticatorData", credential.authenticatorData)
        response.member("signature", credential.signature)
        response.member("userHandle", ifPresent: credential.userHandle)
      }
    }
  }
}
