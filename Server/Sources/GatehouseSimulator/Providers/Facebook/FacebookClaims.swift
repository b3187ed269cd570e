import Crypto
import Foundation

/// The claims about who signed in, in Limited Login's tokens (Meta, "OIDC token"). They don't say
/// whether the address is verified.
enum FacebookClaims {
  static func claims(_ grant: Grant, _ person: Person) -> [String: JSONValue] {
    var claims: [String: JSONValue] = [
      "sub": .string(userID(of: person.id, app: grant.clientID)),
      "jti": .string(RandomToken.hex(bytes: 16)),
    ]
    if grant.scopes.contains(.email) { claims["email"] = .string(person.email) }
    if grant.scopes.contains(.publicProfile) {
      claims.merge(person.profileClaims) { _, new in new }
    }
    return claims
  }

  /// The app-scoped id: 17 digits, different for each app, the same in every run.
  static func userID(of personID: String, app: String) -> String {
    let digest = SHA256.hash(data: Data("facebook user\n\(app)\n\(personID)".utf8))
    return "10" + digest.prefix(15).map { String($0 % 10) }.joined()
  }

  static func permissions(of scopes: Set<Scope>) -> [String] {
    [Scope.email, .openid, .publicProfile].filter(scopes.contains).map(\.rawValue)
  }

  /// The supported scopes of a comma- or space-separated list.
  static func scopes(_ list: String?) -> Set<Scope> {
    let known = Scope.parse(list?.replacing(",", with: " "))
    return known.intersection([.email, .openid, .publicProfile]).union([.publicProfile])
  }
}
