package import GatehouseProtocol

/// A name that a provider sent with a response that no app has redeemed yet.
///
/// Apple sends it once: "immediately store it … in the event of a process or network failure"
/// (<https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple>).
package struct ArrivedName: Hashable, Sendable {
  package var provider: ProviderID
  /// `sub` of the provider's ID token in the same response.
  package var subject: Subject
  package var displayName: String
  package var firstName: String?
  package var lastName: String?

  package init(
    provider: ProviderID, subject: Subject, displayName: String, firstName: String? = nil,
    lastName: String? = nil
  ) {
    self.provider = provider
    self.subject = subject
    self.displayName = displayName
    self.firstName = firstName
    self.lastName = lastName
  }
}
