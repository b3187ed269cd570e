/// A name that a provider sent with a response that no app has redeemed yet.
///
/// Apple sends it once: "immediately store it … in the event of a process or network failure"
/// (<https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple>).
public struct ArrivedName: Hashable, Sendable {
  public var provider: ProviderID
  /// `sub` of the provider's ID token in the same response.
  public var subject: Subject
  public var displayName: String
  public var firstName: String?
  public var lastName: String?

  public init(
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
