import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Date

extension AppleProvider: NotifyingProvider {
  static var notificationIssuers: [String] { issuers }

  /// `events` is the text of a JSON object with one event.
  /// <https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts>
  func events(
    in notification: VerifiedNotification, _ configuration: ProviderConfiguration
  ) throws(FederationError) -> [ProviderEvent] {
    guard let text = notification.claims.string("events"),
      let event = try? JSONObject(parsing: Array(text.utf8)),
      let type = event["type"]?.string,
      let subject = event["sub"]?.string.flatMap({ Subject($0) })
    else { throw .unparsable(reason: "events") }
    guard let kind = Self.kind(type) else { return [] }
    return [
      ProviderEvent(
        provider: configuration.id, kind: kind, subject: subject,
        occurredAt: Self.time(event["event_time"]) ?? notification.issuedAt)
    ]
  }

  private static func kind(_ type: String) -> ProviderEvent.Kind? {
    switch type {
    // Apple's documentation uses both spellings.
    case "account-delete", "account-deleted": .accountDeleted
    case "consent-revoked": .consentRevoked
    case "email-disabled": .emailDisabled
    case "email-enabled": .emailEnabled
    default: nil
    }
  }

  /// Apple documents no unit. Its notifications have milliseconds. A value that as milliseconds
  /// would be before March 1973 is read as seconds.
  private static func time(_ value: JSONValue?) -> Date? {
    guard let number = value?.int64 ?? value?.string.flatMap(Int64.init), number > 0 else {
      return nil
    }
    return Date(
      timeIntervalSince1970: number > 100_000_000_000 ? Double(number) / 1000 : Double(number))
  }
}
