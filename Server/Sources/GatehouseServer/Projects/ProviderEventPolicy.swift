/// What a project does when a provider reports that a user withdrew the app's access, or deleted the
/// account at the provider.
package struct ProviderEventPolicy: Hashable, Sendable, Codable {
  package enum Action: String, Hashable, Sendable, Codable, CaseIterable {
    /// The sessions that began with this provider end.
    case endSessions
    /// The sessions that began with this provider end. The account is deleted if the identity is its
    /// only confirmed credential; otherwise the identity is unlinked. A disabled account isn't
    /// changed, nor an account whose user has signed in with the provider since.
    case deleteAccount
    case ignore
  }

  package var consentRevoked = Action.endSessions
  package var accountDeleted = Action.endSessions

  package init() {}

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    consentRevoked = try values.value(.consentRevoked, or: consentRevoked)
    accountDeleted = try values.value(.accountDeleted, or: accountDeleted)
  }
}
