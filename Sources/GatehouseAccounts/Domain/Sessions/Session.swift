package import Foundation
package import GatehouseModel
package import GatehouseTokens

/// What one sign-in began and its refresh tokens continue.
package struct Session: Hashable, Sendable {
  package let id: SessionID
  package let uid: UID
  /// The way the person signed in: `sign_in_provider` of every ID token of this session.
  package var provider: ProviderID
  /// Claims of the provider's token beyond the standard ones, a JSON object's text.
  package var signInAttributes: String?
  /// What a custom token said beside the user id: in every ID token of this session.
  package var developerClaims: CustomClaims?
  package let createdAt: Date
  /// When the person last proved themselves: `auth_time`. A refresh doesn't move it.
  package var authenticatedAt: Date
  package var lastUsedAt: Date
  /// How often the refresh token was rotated; the live token carries this number.
  package var rotation: UInt32 = 0
  /// When the last rotations happened, newest first, at most ``keptRotations``.
  package var rotatedAt: [Date] = []
  package var ended: Ending?

  /// How many rotations are remembered: an older token is reuse without looking at the clock.
  package static let keptRotations = 4
  /// A session that nobody used for so long ends.
  package static let idleSeconds: TimeInterval = 365 * 86_400
  /// An account's least recently used sessions beyond this many go at its next sign-in.
  package static let maximumPerAccount = 100
  /// In which ``RateLimits/signInsPerIdentity`` are counted.
  static let replayWindowSeconds: TimeInterval = 600

  /// - Parameters:
  ///   - createdAt: Kept to the millisecond, as is `authenticatedAt`.
  package init(
    id: SessionID, uid: UID, provider: ProviderID, signInAttributes: String? = nil,
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

  /// Ended sessions stay as tombstones, so that their tokens are known and refused by name.
  package struct Ending: Hashable, Sendable {
    package var at: Date
    package var reason: Reason

    package init(at: Date, reason: Reason) {
      self.at = at
      self.reason = reason
    }

    package enum Reason: String, Hashable, Sendable, CaseIterable {
      /// Revoked by the person, an administrator or a change of credentials.
      case revoked
      /// An old refresh token was used after its grace: somebody else holds a copy.
      case reuse
      case accountDeleted
    }
  }
}
