public import struct Foundation.Date

extension SigningKeyRing {
  /// How long keys are used, in seconds.
  public struct Schedule: Sendable, Hashable {
    /// How long a key is published before it signs.
    public var publishAheadSeconds: Int
    /// How long a key signs.
    public var rotateEverySeconds: Int
    /// How long a key is published after its last signature: the longest life of what it signed,
    /// and a day more.
    public var keepAfterLastSignatureSeconds: Int

    public init(
      publishAheadSeconds: Int, rotateEverySeconds: Int, keepAfterLastSignatureSeconds: Int
    ) {
      self.publishAheadSeconds = publishAheadSeconds
      self.rotateEverySeconds = rotateEverySeconds
      self.keepAfterLastSignatureSeconds = keepAfterLastSignatureSeconds
    }

    /// How long a key is published before it takes over ahead of the schedule: key sets may be cached
    /// for an hour, and this is an hour more for clocks and for caches behind caches.
    public static let announcedSeconds = 2 * 3600

    private static let hour = 3600
    private static let day = 24 * hour

    /// Published a day ahead, signing for 30 days, kept for an hour and a day.
    public static let idTokens = Schedule(
      publishAheadSeconds: day, rotateEverySeconds: 30 * day,
      keepAfterLastSignatureSeconds: hour + day)

    /// Published a day ahead, signing for 30 days, kept for 14 days and one more.
    public static let sessionCookies = Schedule(
      publishAheadSeconds: day, rotateEverySeconds: 30 * day,
      keepAfterLastSignatureSeconds: 14 * day + day)
  }

  public enum State: String, Sendable, Hashable, CaseIterable {
    /// Published, to sign later.
    case next
    /// Signs.
    case active
    /// Published until what it signed is out.
    case retired
  }

  /// One key's place in the ring; the key itself is kept elsewhere under ``keyID``.
  public struct Record: Sendable, Hashable {
    public let keyID: String
    public var state: State
    public var publishedAt: Date
    /// When it takes over, where somebody wants that ahead of the schedule.
    public var signsFrom: Date?
    public var activatedAt: Date?
    public var retiredAt: Date?

    public init(
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

  public enum Action: Sendable, Hashable {
    /// Make a key and hand its name to ``SigningKeyRing/add(keyID:now:)``.
    case generate
    /// From now on sign with this key.
    case activate(String)
    /// No longer sign with this key.
    case retire(String)
    /// Forget this key, its private part too.
    case remove(String)
  }
}
