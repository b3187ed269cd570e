import Crypto
import Foundation

/// The claims about who signed in, in Google's ID tokens and at its UserInfo endpoint (Google,
/// "OpenID Connect", "An ID token's payload").
enum GoogleClaims {
  static func claims(_ grant: Grant, _ person: Person) -> [String: JSONValue] {
    var claims: [String: JSONValue] = [
      "sub": .string(subject(of: person)),
      "azp": .string(grant.authorizedParty),
    ]
    claims["hd"] = person.hostedDomain.map(JSONValue.string)
    if grant.scopes.contains(.email) {
      claims["email"] = .string(person.email)
      claims["email_verified"] = .bool(person.emailVerified)
    }
    if grant.scopes.contains(.profile) { claims.merge(person.profileClaims) { _, new in new } }
    return claims
  }

  /// 21 digits, the same in every run and for every client.
  static func subject(of person: Person) -> String { subject(ofPerson: person.id) }

  /// The subject by the person's id, also of a person who was deleted.
  static func subject(ofPerson id: String) -> String {
    let digest = SHA256.hash(data: Data("google subject\n\(id)".utf8))
    return "1" + digest.prefix(20).map { String($0 % 10) }.joined()
  }
}
