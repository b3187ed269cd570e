import Crypto
import Foundation

/// Apple's identifiers of a person for one team. The same in every run.
struct AppleIdentity: Sendable {
  let personID: String
  let teamID: String

  /// In Apple's format: six digits, 32 hexadecimal digits, four digits.
  var subject: String {
    let bytes = digest("subject")
    return
      "00\(Self.digits(bytes[16..<20])).\(Hex.text(bytes[..<16])).\(Self.digits(bytes[20..<24]))"
  }

  /// The relay address, for a person who hides the email address.
  var relayAddress: String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    let local = digest("relay").prefix(10).map { alphabet[Int($0) % alphabet.count] }
    return String(local) + "@privaterelay.appleid.com"
  }

  /// The identifier that the former team's app gets during a transfer.
  func transferSubject(to newTeamID: String) -> String {
    let bytes = digest("transfer to \(newTeamID)")
    return "00\(Self.digits(bytes[16..<20])).r\(Hex.text(bytes[..<15]))"
  }

  private func digest(_ purpose: String) -> [UInt8] {
    Array(SHA256.hash(data: Data("apple \(purpose)\n\(teamID)\n\(personID)".utf8)))
  }

  private static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 % 10) }.joined()
  }
}

extension SimulatorState {
  /// The claims of Apple's ID token about who signed in. The others are the same for all providers.
  func appleClaims(_ approved: ApprovedGrant) -> [String: JSONValue] {
    let (grant, person, consent) = (approved.grant, approved.person, approved.consent)
    let team = clients.appleTeam(of: grant.clientID)
    let identity = AppleIdentity(personID: person.id, teamID: team)
    var claims: [String: JSONValue] = [
      "sub": .string(identity.subject),
      "auth_time": .integer(Int(grant.authTime.timeIntervalSince1970)),
      "nonce_supported": true,
    ]
    if consent.scopes.contains(.email) {
      claims["email"] = .string(consent.hidesEmail ? identity.relayAddress : person.email)
      claims["email_verified"] = .bool(consent.hidesEmail || person.emailVerified)
      claims["is_private_email"] = .bool(consent.hidesEmail)
    }
    if let transfer = appleTransfer(of: grant.clientID), transfer.isOpen(at: approved.now) {
      let former = AppleIdentity(personID: person.id, teamID: transfer.formerTeam)
      claims["transfer_sub"] = .string(former.transferSubject(to: team))
    }
    return claims
  }
}
