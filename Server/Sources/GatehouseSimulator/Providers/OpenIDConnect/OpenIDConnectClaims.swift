import Crypto
import Foundation

/// The generic provider's claims about who signed in (OpenID Connect Core §2, §5.1).
enum OpenIDConnectClaims {
  /// - Parameter asked: Names of claims that the client requested individually.
  static func claims(
    _ grant: Grant, _ person: Person, asked: Set<String>
  ) -> [String: JSONValue] {
    var claims: [String: JSONValue] = [
      "sub": .string(subject(of: person)),
      "auth_time": .integer(Int(grant.authTime.timeIntervalSince1970)),
    ]
    claims["acr"] = grant.authenticationContext.map(JSONValue.string)
    let email: [String: JSONValue] = [
      "email": .string(person.email), "email_verified": .bool(person.emailVerified),
    ]
    for (scope, group) in [(Scope.email, email), (.profile, person.profileClaims)] {
      let given = group.filter { grant.scopes.contains(scope) || asked.contains($0.key) }
      claims.merge(given) { _, new in new }
    }
    return claims
  }

  /// The same in every run, and for every client.
  static func subject(of person: Person) -> String {
    Hex.text(SHA256.hash(data: Data("oidc subject\n\(person.id)".utf8)).prefix(16))
  }
}
