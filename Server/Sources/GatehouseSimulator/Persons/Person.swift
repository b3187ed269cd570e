/// A simulated user with an account at every provider.
///
/// The person's identifiers at the providers (`sub`, the relay address) are derived from the id, and
/// from the team, app or tenant if they depend on it. So they are the same in every run.
package struct Person: Sendable, Equatable {
  /// 1 to 64 of `A-Z a-z 0-9 . _ -`.
  package var id: String
  package var email: String
  package var emailVerified: Bool
  package var givenName: String?
  package var familyName: String?
  /// The URL of a picture. Apple never returns one.
  package var picture: String?
  /// The domain of a Google Workspace account, Google's `hd` claim.
  package var hostedDomain: String?
  /// Apple's real user status: 0 unsupported, 1 unknown, 2 likely real.
  package var realUserStatus: Int
  /// Whether the person hides the address from an app at Apple, unless the sign-in says something else.
  var hidesEmail = false
  /// The settings of the accounts at single providers, by the provider's name.
  var accounts: [String: JSONValue] = [:]

  package init(
    id: String, email: String, givenName: String? = nil, familyName: String? = nil,
    hostedDomain: String? = nil
  ) {
    self.id = id
    self.email = email
    self.emailVerified = true
    self.givenName = givenName
    self.familyName = familyName
    self.picture = nil
    self.hostedDomain = hostedDomain
    self.realUserStatus = 2
  }

  package static let alice = Person(
    id: "alice", email: "alice@example.com", givenName: "Alice", familyName: "Appleseed")
  package static let bob = Person(
    id: "bob", email: "bob@example.com", givenName: "Bob", familyName: "Baker")

  /// Given and family name with a space between, or nil if there is neither.
  var name: String? {
    let parts = [givenName, familyName].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
