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
  static func subject(of person: Person) -> String {
    let digest = SHA256.hash(data: Data("google subject\n\(person.id)".utf8))
    return "1" + digest.prefix(20).map { String($0 % 10) }.joined()
  }
}
