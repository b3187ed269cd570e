import GatehouseProtocol

import struct Foundation.Date

/// What Facebook says about an access token, checked.
///
/// <https://developers.facebook.com/docs/graph-api/reference/debug_token>. By itself an access
/// token doesn't show its user and its app: only Facebook knows them.
struct AccessTokenInspection: Sendable {
  /// The most permissions that are kept.
  private static let maximumScopes = 64

  let subject: Subject
  /// "Array of permissions that the user has granted for the app".
  let scopes: [String]

  /// - Parameters:
  ///   - data: The member `data` of the response.
  ///   - appID: Our app's id, compared byte for byte.
  /// - Throws: ``FederationError/accessToken(_:)``.
  init(
    _ data: JSONObject, appID: String, clockSkewSeconds: Int, now: Date
  ) throws(FederationError) {
    guard data["is_valid"]?.bool == true else {
      throw .accessToken(GraphComplaint(data["error"]).map { .refused($0) } ?? .unreadable)
    }
    guard let issuedTo = Self.identifier(data["app_id"]) else { throw .accessToken(.unreadable) }
    guard issuedTo.hasSameBytes(as: appID) else { throw .accessToken(.otherApp) }
    guard data["type"]?.string?.hasSameBytes(as: "USER") == true else {
      throw .accessToken(.notOfPerson)
    }
    let earliest = now.timeIntervalSince1970 - Double(clockSkewSeconds)
    guard try Self.isAhead(data["expires_at"], of: earliest) else {
      throw .accessToken(.expired)
    }
    guard try Self.isAhead(data["data_access_expires_at"], of: earliest) else {
      throw .accessToken(.dataAccessExpired)
    }
    guard let subject = Self.identifier(data["user_id"]).flatMap({ Subject($0) }) else {
      throw .accessToken(.unreadable)
    }
    self.subject = subject
    scopes = (data["scopes"]?.array ?? []).prefix(Self.maximumScopes).compactMap(\.string)
      .filter { $0.utf8.count <= 64 }
  }

  /// An identifier at Facebook: digits, which older versions of the API write as a number.
  static func identifier(_ value: JSONValue?) -> String? {
    let text = value?.string ?? value?.number?.text
    guard let text, (1...64).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return text
  }

  /// "expires_at: Timestamp when this access token expires", in seconds since 1970. A token with 0
  /// or without a value never expires; Facebook must still say that it `is_valid`.
  private static func isAhead(
    _ value: JSONValue?, of earliest: Double
  ) throws(FederationError) -> Bool {
    guard let value, !value.isNull else { return true }
    guard let seconds = value.int64 else { throw .accessToken(.unreadable) }
    return seconds == 0 || Double(seconds) > earliest
  }
}
