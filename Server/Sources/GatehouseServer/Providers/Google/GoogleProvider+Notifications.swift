import GatehouseProtocol
import GatehouseTokens

extension GoogleProvider: NotifyingProvider {
  /// As <https://accounts.google.com/.well-known/risc-configuration> names it, with a slash that the
  /// issuer of Google's ID tokens doesn't have.
  static let notificationIssuers = ["https://accounts.google.com/"]

  private static let riscPrefix = "https://schemas.openid.net/secevent/risc/event-type/"
  private static let oauthPrefix = "https://schemas.openid.net/secevent/oauth/event-type/"

  /// Cross-Account Protection: `events` is an object with a member per event, whose name is the
  /// event's type. <https://developers.google.com/identity/protocols/risc>
  func events(
    in notification: VerifiedNotification, _ configuration: ProviderConfiguration
  ) throws(FederationError) -> [ProviderEvent] {
    guard let object = notification.claims.json["events"]?.object else {
      throw .unparsable(reason: "events")
    }
    var events: [ProviderEvent] = []
    for member in object.members {
      guard let kind = Self.kind(member.name) else { continue }
      let subject = member.value["subject"]?["sub"]?.string.flatMap { Subject($0) }
      // An event about a token names the token and no user.
      guard kind == .verification || subject != nil else { continue }
      events.append(
        ProviderEvent(
          provider: configuration.id, kind: kind, subject: subject,
          occurredAt: notification.issuedAt))
    }
    return events
  }

  private static func kind(_ type: String) -> ProviderEvent.Kind? {
    switch type {
    case riscPrefix + "sessions-revoked": .sessionsRevoked
    case oauthPrefix + "tokens-revoked": .consentRevoked
    case riscPrefix + "account-disabled": .accountDisabled
    case riscPrefix + "account-enabled": .accountEnabled
    case riscPrefix + "account-purged": .accountDeleted
    // An attacker may know the password at Google, so sessions that began there end too.
    case riscPrefix + "account-credential-change-required": .sessionsRevoked
    case riscPrefix + "verification": .verification
    default: nil
    }
  }
}
