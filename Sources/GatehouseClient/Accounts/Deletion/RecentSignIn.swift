package import Foundation

extension IDToken {
  /// Tolerance for a sign-in that seems to be in the future because the server's time is only
  /// estimated, in seconds.
  private static let toleranceSeconds = 60.0

  /// Whether the user authenticated less than `limit` seconds ago.
  ///
  /// Uses `auth_time`, which the server set. The profile's last sign-in isn't used: it may be from
  /// another device, or out of date.
  package func isRecent(within limit: TimeInterval, now: Date) -> Bool {
    let age = now.timeIntervalSince(authenticatedAt)
    return age >= -Self.toleranceSeconds && age < limit
  }
}
