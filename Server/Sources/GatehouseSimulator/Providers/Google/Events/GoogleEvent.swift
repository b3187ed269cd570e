import Foundation

/// An event that Google reports to an app's server (Google, "Protect user accounts with
/// Cross-Account Protection"; OpenID RISC 1.0 and OAuth Event Types 1.0).
struct GoogleEvent: ReportedEvent {
  enum Kind: String, Sendable, Codable, CaseIterable {
    case sessionsRevoked = "sessions-revoked"
    case tokensRevoked = "tokens-revoked"
    case tokenRevoked = "token-revoked"
    case accountDisabled = "account-disabled"
    case accountEnabled = "account-enabled"
    case accountPurged = "account-purged"
    case credentialChangeRequired = "account-credential-change-required"
    case verification

    /// The name of the event's member in `events`. Two of the types belong to OAuth, not to RISC.
    var uri: String {
      let family =
        switch self {
        case .tokensRevoked, .tokenRevoked: "oauth"
        default: "risc"
        }
      return "https://schemas.openid.net/secevent/\(family)/event-type/\(rawValue)"
    }
  }

  /// Why Google disabled an account.
  enum Reason: String, Sendable, Codable {
    case hijacking
    case bulkAccount = "bulk-account"
  }

  /// What the event is about.
  enum Target: Sendable {
    /// The person's `sub`.
    case account(String)
    /// A refresh token of the app.
    case refreshToken(String)
    /// Only the connection between Google and the receiver is tested: `state` comes from the
    /// request for the test.
    case connection(state: String)
  }

  /// `iss` of the token and of the subject, with a slash that the issuer of Google's ID tokens
  /// doesn't have.
  private static let issuer = "https://accounts.google.com/"
  /// The characters of a refresh token that identify it.
  private static let tokenPrefix = 16

  static var provider: Provider { .google }
  /// RFC 8935 §2.2.
  static let acceptedStatus = 202
  static let contentType = "application/secevent+jwt"

  static func body(_ token: String) throws -> Data { Data(token.utf8) }

  let kind: Kind
  let clientID: String
  /// The clients that share the receiver, `clientID` first.
  let audience: [String]
  let target: Target
  /// Only of ``Kind/accountDisabled``, and not always.
  let reason: Reason?
  let time: Date

  var type: String { kind.rawValue }

  var subject: String? {
    if case .account(let subject) = target { subject } else { nil }
  }

  var details: [String: JSONValue] {
    var state: String?
    if case .connection(let given) = target { state = given }
    return ["reason": .optional(reason?.rawValue), "state": .optional(state)]
  }

  /// The claims of the token. It has no `exp`: an event doesn't expire (RFC 8417 §2.2). `aud` is a
  /// string for one client, an array for several.
  func claims() -> [String: JSONValue] {
    [
      "iss": .string(Self.issuer),
      "aud": audience.count == 1 ? .string(clientID) : .strings(audience),
      "iat": .integer(Int(time.timeIntervalSince1970)),
      "jti": .string(RandomToken.hex(bytes: 16)),
      "events": .object([kind.uri: .object(event)]),
    ]
  }

  private var event: [String: JSONValue] {
    var event: [String: JSONValue] = [:]
    switch target {
    case .account(let subject):
      event["subject"] = [
        "subject_type": "iss-sub", "iss": .string(Self.issuer), "sub": .string(subject),
      ]
    case .refreshToken(let token):
      event["subject"] = [
        "subject_type": "oauth_token", "token_type": "refresh_token",
        "token_identifier_alg": "prefix",
        "token": .string(String(decoding: token.utf8.prefix(Self.tokenPrefix), as: UTF8.self)),
      ]
    case .connection(let state): event["state"] = .string(state)
    }
    event["reason"] = reason.map { .string($0.rawValue) }
    return event
  }
}

/// Google's state: its notifications.
struct GoogleState: ReportingState {
  var notifications: Deliveries<GoogleEvent>

  init(limits: SimulatorLimits) { notifications = Deliveries(limit: limits.notifications) }
}
