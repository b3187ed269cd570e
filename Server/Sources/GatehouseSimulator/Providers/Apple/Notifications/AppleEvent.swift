import Foundation

/// An event that Apple reports to an app's server (Apple, "Processing changes for Sign in with
/// Apple accounts").
struct AppleEvent: ReportedEvent {
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
  let sub: String
  /// Nil unless the event is about the address.
  let email: String?
  let time: Date

  static var provider: Provider { .apple }
  static let acceptedStatus = 200
  static let contentType = "application/json"

  static func body(_ token: String) throws -> Data {
    try JSONValue.object(["payload": .string(token)]).data()
  }

  var type: String { kind.rawValue }
  var subject: String? { sub }

  /// The claims of the notification. `events` is a string that contains the JSON of one event, with
  /// the time in milliseconds.
  func claims() throws -> [String: JSONValue] {
    var event: [String: JSONValue] = [
      "type": .string(kind.rawValue), "sub": .string(sub),
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
      kind: kind, clientID: clientID, sub: identity.subject,
      email: kind.isAboutEmail ? identity.relayAddress : nil, time: now)
  }
}
