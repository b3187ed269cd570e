import GatehouseProtocol

package import struct Foundation.Date

extension SigningKeyRing {
  /// How long keys are used, in seconds.
  package struct Schedule: Sendable, Hashable {
    /// How long a key is published before it signs.
    package var publishAheadSeconds: Int
    /// How long a key signs.
    package var rotateEverySeconds: Int
    /// How long a key is published after its last signature. For tokens this is their longest
    /// lifetime plus a day.
    package var keepAfterLastSignatureSeconds: Int

    package init(
      publishAheadSeconds: Int, rotateEverySeconds: Int, keepAfterLastSignatureSeconds: Int
    ) {
      self.publishAheadSeconds = publishAheadSeconds
      self.rotateEverySeconds = rotateEverySeconds
      self.keepAfterLastSignatureSeconds = keepAfterLastSignatureSeconds
    }

    /// How long a key must be published before it may sign ahead of the schedule, in seconds. Key
    /// sets may be cached for an hour. The second hour is for differences between clocks and for
    /// chains of caches.
    package static let announcedSeconds = 2 * 3600

    private static let hour = 3600
    private static let day = 24 * hour

    /// Published a day ahead, signing for 30 days, kept for an hour plus a day.
    package static let idTokens = Schedule(
      publishAheadSeconds: day, rotateEverySeconds: 30 * day,
      keepAfterLastSignatureSeconds: hour + day)

    /// One key for a century: it signs statements that have to be verifiable for years, and its private
    /// half signs nothing that gives access.
    package static let eventLog = Schedule(
      publishAheadSeconds: day, rotateEverySeconds: 36_525 * day,
      keepAfterLastSignatureSeconds: 36_525 * day)

    /// Published a day ahead, signing for 30 days, kept for 14 days plus a day.
    package static let sessionCookies = Schedule(
      publishAheadSeconds: day, rotateEverySeconds: 30 * day,
      keepAfterLastSignatureSeconds: 14 * day + day)
  }

  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Published; will sign later.
    case next
    /// Published; signs.
    case active
    /// Published so that the tokens it signed can be verified; no longer signs.
    case retired
  }

  /// The state of one key in the ring. The key itself is stored elsewhere under ``keyID``.
  package struct Record: Sendable, Hashable {
    package let keyID: String
    package var state: State
    package var publishedAt: Date
    /// When the key takes over if that is ahead of the schedule: see
    /// ``SigningKeyRing/rotateSoon(now:)``.
    package var signsFrom: Date?
    package var activatedAt: Date?
    package var retiredAt: Date?

    package init(
      keyID: String, state: State, publishedAt: Date, signsFrom: Date? = nil,
      activatedAt: Date? = nil, retiredAt: Date? = nil
    ) {
      self.signsFrom = signsFrom
      self.keyID = keyID
      self.state = state
      self.publishedAt = publishedAt
      self.activatedAt = activatedAt
      self.retiredAt = retiredAt
    }
  }

  package enum Action: Sendable, Hashable {
    /// Create a key and pass its id to ``SigningKeyRing/add(keyID:now:)``.
    case generate
    /// From now on sign with this key.
    case activate(String)
    /// No longer sign with this key.
    case retire(String)
    /// Delete this key, with its private part.
    case remove(String)
  }
}
