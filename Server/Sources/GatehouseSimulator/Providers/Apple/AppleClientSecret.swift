import Crypto
import Foundation
import HTTPTypes

/// Checks a client secret: a JWT that the app's team signs with ES256 (Apple, "Creating a client
/// secret").
///
/// The signature is checked against the team's registered keys, one of which `kid` must name. If the
/// team has no registered key, the signature only has to be 64 bytes long: then a secret is accepted
/// whichever key signed it.
struct AppleClientSecret: Sendable {
  private static let maximumBytes = 4_096
  /// Six months as Apple defines them, in seconds.
  private static let maximumLifetime = 15_777_000.0
  private static let maximumSkew = 60.0

  let clientID: String
  /// The team of a registered client; nil accepts any.
  let teamID: String?
  let keys: [AppleTeamKey]
  let now: Date

  /// - Throws: `invalid_client` with the reason.
  func verify(_ secret: String) throws(SimulatorError) {
    let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
    guard secret.utf8.count <= Self.maximumBytes, parts.count == 3,
      let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
      let signature = Base64URL.bytes(parts[2])
    else { throw Self.refusal("it is not a JWT") }
    guard header["alg"]?.stringValue == "ES256" else {
      throw Self.refusal("its alg is not ES256")
    }
    guard let keyID = header["kid"]?.stringValue, !keyID.isEmpty else {
      throw Self.refusal("its header has no kid")
    }
    let team = try checkClaims(claims)
    try checkSignature(
      signature, of: Data("\(parts[0]).\(parts[1])".utf8), team: team, keyID: keyID)
  }

  /// - Returns: The team id.
  private func checkClaims(_ claims: JSONValue) throws(SimulatorError) -> String {
    guard let team = claims["iss"]?.stringValue, !team.isEmpty else {
      throw Self.refusal("its iss is not a team id")
    }
    if let teamID, !teamID.isSame(as: team) {
      throw Self.refusal("its iss is not the client's team")
    }
    guard claims["sub"]?.stringValue?.isSame(as: clientID) == true else {
      throw Self.refusal("its sub is not the client_id")
    }
    guard claims["aud"]?.stringValue == "https://appleid.apple.com" else {
      throw Self.refusal("its aud is not https://appleid.apple.com")
    }
    guard let issuedAt = claims["iat"]?.doubleValue, let expiry = claims["exp"]?.doubleValue else {
      throw Self.refusal("it has no iat or no exp")
    }
    let time = now.timeIntervalSince1970
    guard issuedAt <= time + Self.maximumSkew else {
      throw Self.refusal("its iat is in the future")
    }
    guard expiry > time else { throw Self.refusal("it has expired") }
    guard expiry - time <= Self.maximumLifetime + Self.maximumSkew else {
      throw Self.refusal("its exp is more than six months away")
    }
    return team
  }

  private func checkSignature(
    _ signature: Data, of signingInput: Data, team: String, keyID: String
  ) throws(SimulatorError) {
    guard let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
      throw Self.refusal("its signature is not 64 bytes")
    }
    let teamKeys = keys.filter { $0.teamID.isSame(as: team) }
    guard !teamKeys.isEmpty else { return }
    guard let key = teamKeys.first(where: { $0.keyID.isSame(as: keyID) }),
      let publicKey = try? P256.Signing.PublicKey(pemRepresentation: key.publicKeyPEM)
    else { throw Self.refusal("its kid is not a registered key of the team") }
    guard publicKey.isValidSignature(parsed, for: signingInput) else {
      throw Self.refusal("its signature does not verify")
    }
  }

  private static func json(_ part: Substring) -> JSONValue? {
    Base64URL.bytes(part).flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
  }

  private static func refusal(_ reason: String) -> SimulatorError {
    SimulatorError(.badRequest, "invalid_client", "The client_secret was rejected: \(reason).")
  }
}
