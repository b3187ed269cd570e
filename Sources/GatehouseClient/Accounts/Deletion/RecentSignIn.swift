package import Foundation

extension IDToken {
  /// A sign-in in the future means that the server's time isn't known well. Seconds.
  private static let toleranceSeconds = 60.0

  /// Whether the person proved who they are less than `limit` ago.
  ///
  /// By `auth_time`, which the server set: a profile's last sign-in may be another device's, and is
  /// as old as the profile.
  package func isRecent(within limit: Duration, now: Date) -> Bool {
    let age = now.timeIntervalSince(authenticatedAt)
    return age >= -Self.toleranceSeconds && age < limit / .seconds(1)
  }
}
