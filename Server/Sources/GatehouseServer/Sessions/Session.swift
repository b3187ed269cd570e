package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// A sign-in and everything that its refresh tokens continue.
package struct Session: Hashable, Sendable {
  package let id: SessionID
  package let uid: UID
  /// The provider with which the user signed in: `sign_in_provider` of every ID token of this
  /// session.
  package var provider: ProviderID
  /// Claims of the provider's token beyond the standard ones.
  package var signInAttributes: SignInAttributes?
  /// The developer claims of a custom token, or the session claims of a blocking function. Every ID token
  /// of this session contains them.
  package var developerClaims: CustomClaims?
  package let createdAt: Date
  /// When the user last authenticated. A refresh doesn't change it. `auth_time` in an ID token is this
  /// time or a later one: see `IDTokenPayload`.
  package var authenticatedAt: Date
  package var lastUsedAt: Date
  /// How often the refresh token was rotated. The live token contains this number.
  package var rotation: UInt32 = 0
  /// When the last rotations happened, newest first, at most ``keptRotations``.
  package var rotatedAt: [Date] = []
  package var ended: Ending?
  /// The device on which the user signed in. Nil for a session that began before the server stored
  /// devices, and for an ended session.
  package var device: SessionDevice?

  /// For how many rotations the time is stored, and how many there may be within the grace period. So
  /// the use of an older token is always reuse.
  package static let keptRotations = 4
  /// A session that isn't used for this time ends. Seconds: a year.
  package static let idleSeconds: TimeInterval = 365 * 86_400
  /// How long an ended session is stored, unless its account was deleted. Seconds: a day.
  package static let endedSeconds: TimeInterval = 86_400
  /// An account's least recently used sessions beyond this number are removed at its next sign-in.
  package static let maximumPerAccount = 100
  /// The window in which ``RateLimits/signInsPerIdentity`` are counted. Seconds.
  static let replayWindowSeconds: TimeInterval = 600

  /// - Parameters:
  ///   - createdAt: Kept to the millisecond, as is `authenticatedAt`.
  package init(
    id: SessionID, uid: UID, provider: ProviderID, signInAttributes: SignInAttributes? = nil,
    createdAt: Date, authenticatedAt: Date
  ) {
    self.id = id
    self.uid = uid
    self.provider = provider
    self.signInAttributes = signInAttributes
    self.createdAt = createdAt.wholeMilliseconds
    self.authenticatedAt = authenticatedAt.wholeMilliseconds
    lastUsedAt = self.createdAt
  }

  /// Ends the session, and removes what it contains about its user.
  mutating func end(_ ending: Ending) {
    ended = ending
    signInAttributes = nil
    developerClaims = nil
    device = nil
  }

  /// When and why the session ended. The row is kept for a year if the account was deleted (a
  /// tombstone), otherwise for a day.
  package struct Ending: Hashable, Sendable {
    package var at: Date
    package var reason: Reason

    package init(at: Date, reason: Reason) {
      self.at = at
      self.reason = reason
    }

    package enum Reason: String, Hashable, Sendable, CaseIterable {
      /// Any other end, such as by the user, an administrator, a change of credentials or a
      /// provider's report.
      case revoked
      /// A rotated refresh token was used after its grace period: another party has a copy.
      case reuse
      case accountDeleted
    }
  }
}
