import Foundation

/// An event that Apple reports to an app's server (Apple, "Processing changes for Sign in with
/// Apple accounts").
struct AppleEvent: Sendable {
  enum Kind: String, Sendable, Codable, CaseIterable {
    case consentRevoked = "consent-revoked"
    /// Apple's documentation spells it in two ways.
    case accountDelete = "account-delete"
    case accountDeleted = "account-deleted"
    case emailDisabled = "email-disabled"
    case emailEnabled = "email-enabled"

    /// Whether the event contains the email address that it is about.
    var isAboutEmail: Bool { self == .emailDisabled || self == .emailEnabled }
  }

  let kind: Kind
  /// The primary app of the group.
  let clientID: String
  let subject: String
  /// Nil unless the event is about the address.
  let email: String?
  let time: Date

  /// The claims of the notification. `events` is a string that contains the JSON of one event, with
  /// the time in milliseconds.
  func claims() throws -> [String: JSONValue] {
    var event: [String: JSONValue] = [
      "type": .string(kind.rawValue), "sub": .string(subject),
      "event_time": .integer(Int(time.timeIntervalSince1970 * 1_000)),
    ]
    if let email {
      event["email"] = .string(email)
      event["is_private_email"] = "true"
    }
    let issuedAt = Int(time.timeIntervalSince1970)
    return [
      "iss": "https://appleid.apple.com",
      "aud": .string(clientID),
      "iat": .integer(issuedAt),
      "exp": .integer(issuedAt + 86_400),
      "jti": .string(RandomToken.hex(bytes: 16)),
      "events": .string(String(decoding: try JSONValue.object(event).data(), as: UTF8.self)),
    ]
  }
}

extension SimulatorState {
  /// The event for the app of `key`.
  func appleEvent(_ kind: AppleEvent.Kind, _ key: ConsentKey, now: Date) -> AppleEvent {
    let clientID = key.client.text
    let identity = AppleIdentity(
      personID: key.person.text, teamID: clients.appleTeam(of: clientID))
    return AppleEvent(
      kind: kind, clientID: clientID, subject: identity.subject,
      email: kind.isAboutEmail ? identity.relayAddress : nil, time: now)
  }
}
