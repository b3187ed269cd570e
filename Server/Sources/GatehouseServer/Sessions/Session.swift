import Crypto
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
  /// The second factor with which the user signed in. Nil: only with one factor.
  package var secondFactor: PresentedFactor?
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

/// The device on which a session began, as far as the request showed it. A user can tell the account's
/// sessions apart by their devices.
package struct SessionDevice: Hashable, Sendable {
  package var userAgent: String?
  package var app: String?
  /// The client address in full, shortened, or nil, as the operator configured it.
  package var address: String?
  /// The name that the user gave the device; at most ``nameLimit`` characters.
  package var name: String?

  package static let nameLimit = 100

  package init(
    userAgent: String? = nil, app: String? = nil, address: String? = nil, name: String? = nil
  ) {
    self.userAgent = userAgent
    self.app = app
    self.address = address
    self.name = name
  }

  init(_ source: EventSource) {
    self.init(userAgent: source.userAgent, app: source.app, address: source.address)
  }

  /// Equal for two sign-ins that seem to come from the same device: 8 bytes. It ignores the digits in the
  /// user agent, which change when the app or the system is updated. It ignores the address, which changes
  /// when the device joins another network.
  package var digest: [UInt8] {
    let agent = (userAgent ?? "").utf8.filter { !(0x30...0x39).contains($0) && $0 != 0x2E }
    return Array(SHA256.hash(data: agent + [0] + Array((app ?? "").utf8)).prefix(8))
  }
}
