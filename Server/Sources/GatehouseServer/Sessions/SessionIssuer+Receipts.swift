import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

extension SessionIssuer {
  /// The header's `typ` of a receipt (RFC 8725 §3.11, explicit typing).
  package static let receiptType = "deletion-receipt+jwt"

  /// A receipt for a deletion: a JWT signed with the active key of ID tokens.
  ///
  /// It has no `sub`, `aud` and `exp`, so no verifier accepts it as an ID token. It contains no
  /// personal data: `deletion.account` is the SHA-256 of the issuer, a line feed and the account's
  /// id, in base64url. Anyone who knows the id can compute this value, and so check that the receipt
  /// is for this account.
  ///
  /// - Throws: The signer's error.
  func receipt(of deletion: Deletion, in project: Project) throws -> String {
    let account = SHA256.hash(data: Array("\(project.issuer)\n\(deletion.uid.text)".utf8))
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", project.issuer)
      claims.date("iat", deletion.at)
      claims.string("jti", Self.randomID())
      claims.object("deletion") { members in
        members.string("account", Base64URL.encode(Array(account)))
        members.string("requested_by", deletion.requester.rawValue)
        switch deletion.state {
        case .scheduled(let time):
          members.string("state", "scheduled")
          members.date("erases_at", time)
        case .erased(let erased):
          members.string("state", "erased")
          members.date("erased_at", deletion.at)
          members.strings("identities", erased.identities.map(\.text))
          members.int("provider_tokens", Int64(erased.providerTokens))
          members.int("consents", Int64(erased.consents))
          members.strings("revocations_queued", erased.revocations.map(\.text))
        }
      }
    }
    let signer = idTokenKeys.writer(project.policies.tokens.algorithm).signer
    let writer = TokenWriter(signer: signer, type: Self.receiptType)
    return try writer.token(payload: payload)
  }

  /// 128 random bits, in base64url.
  private static func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode(generator.bytes(16))
  }
}
