public import struct Foundation.Date
import GatehouseModel

/// When which of our signing keys is published and which one signs: a pure state machine.
///
/// ```
///   generate ─► next ──activate──► active ──retire──► retired ──remove──► gone
///              published,          published,         published,
///              doesn't sign        signs              doesn't sign
/// ```
///
/// ``advance(now:)`` changes the states that are due and says what is to be done; its caller makes
/// keys where ``Action/generate`` asks for one and hands the name to ``add(keyID:now:)``. Key material
/// is not here: a record has a name and times, and the whole ring is a value to be stored. A store
/// with several writers loads, advances, adds and saves in one transaction.
///
/// A key set may be cached for an hour, so a key is published for long before it signs and long after
/// its last signature. Only the very first key, or the first after all were discarded, signs at once:
/// there is no older one that could.
public struct SigningKeyRing: Sendable, Hashable {
  public private(set) var records: [Record]
  public let schedule: Schedule

  public init(schedule: Schedule, records: [Record] = []) {
    self.schedule = schedule
    self.records = records
  }

  /// The key that signs.
  public var activeKeyID: String? { first(.active)?.keyID }

  /// The keys that key sets show, the active one first.
  public var publishedKeyIDs: [String] {
    ([State.active, .next, .retired] as [State]).flatMap { state in
      records.filter { $0.state == state }.map(\.keyID)
    }
  }

  /// Applies what is due at `now`, in order, and says what is to be done. Idempotent: asking again
  /// changes nothing, but a key that is wanted and was not added is asked for again.
  public mutating func advance(now: Date) -> [Action] {
    var actions = removeOutdated(now: now)
    if let next = first(.next), isDue(next, now: now) { actions += activate(next, now: now) }
    if needsKey(now: now) { actions.append(.generate) }
    return actions
  }

  /// Adds a key that was generated: it signs at once if no other does, else it is the next.
  ///
  /// A key beyond the one that is next is not needed (two servers may have generated at once): it is
  /// not added.
  public mutating func add(keyID: String, now: Date) -> [Action] {
    guard first(.next) == nil, !records.contains(where: { $0.keyID.hasSameBytes(as: keyID) }) else {
      return []
    }
    let isFirst = activeKeyID == nil
    records.append(
      Record(
        keyID: keyID, state: isFirst ? .active : .next, publishedAt: now,
        activatedAt: isFirst ? now : nil))
    return isFirst ? [.activate(keyID)] : []
  }

  /// Stops signing with the active key now, ahead of the schedule.
  ///
  /// The next key takes over even if caches don't have it yet; if there is none, add one when
  /// ``Action/generate`` asks.
  ///
  /// - Parameters:
  ///   - now: When the old key's last signature was made at the latest.
  ///   - discardingAll: Also takes every key there is out of the key set: for when they may have
  ///     been stolen. All tokens that they signed are dead at once where keys aren't cached.
  public mutating func rotateNow(now: Date, discardingAll: Bool) -> [Action] {
    var actions: [Action] = []
    if discardingAll {
      actions = records.map { .remove($0.keyID) }
      records = []
    } else if let next = first(.next) {
      actions = activate(next, now: now)
    } else {
      actions = retireActive(now: now)
    }
    return actions + advance(now: now)
  }

  /// Has the next key take over ahead of the schedule, as soon as every verifier has it:
  /// ``Schedule/announcedSeconds`` after it was published. The active key signs until then.
  ///
  /// If there is no next key, add one when ``Action/generate`` asks, and ask again.
  public mutating func rotateSoon(now: Date) -> [Action] {
    var actions = advance(now: now)
    guard let next = first(.next) else {
      return actions.contains(.generate) ? actions : actions + [.generate]
    }
    let due = next.publishedAt.addingTimeInterval(Double(Schedule.announcedSeconds))
    update(next.keyID) { $0.signsFrom = min($0.signsFrom ?? due, due) }
    actions += advance(now: now)
    return actions
  }

  // MARK: Transitions

  private mutating func activate(_ next: Record, now: Date) -> [Action] {
    let actions = retireActive(now: now)
    update(next.keyID) {
      $0.state = .active
      $0.activatedAt = now
    }
    return actions + [.activate(next.keyID)]
  }

  private mutating func retireActive(now: Date) -> [Action] {
    guard let active = first(.active) else { return [] }
    update(active.keyID) {
      $0.state = .retired
      $0.retiredAt = now
    }
    return [.retire(active.keyID)]
  }

  private mutating func removeOutdated(now: Date) -> [Action] {
    let outdated = records.filter { record in
      guard let retiredAt = record.retiredAt else { return false }
      return now >= retiredAt.addingTimeInterval(Double(schedule.keepAfterLastSignatureSeconds))
    }
    records.removeAll { outdated.contains($0) }
    return outdated.map { .remove($0.keyID) }
  }

  // MARK: Conditions

  private func isDue(_ next: Record, now: Date) -> Bool {
    guard let activatedAt = first(.active)?.activatedAt else { return true }
    if let signsFrom = next.signsFrom, now >= signsFrom { return true }
    return now >= next.publishedAt.addingTimeInterval(Double(schedule.publishAheadSeconds))
      && now >= activatedAt.addingTimeInterval(Double(schedule.rotateEverySeconds))
  }

  private func needsKey(now: Date) -> Bool {
    guard first(.next) == nil else { return false }
    guard let activatedAt = first(.active)?.activatedAt else { return true }
    let ahead = schedule.rotateEverySeconds - schedule.publishAheadSeconds
    return now >= activatedAt.addingTimeInterval(Double(ahead))
  }

  private func first(_ state: State) -> Record? { records.first { $0.state == state } }

  private mutating func update(_ keyID: String, _ change: (inout Record) -> Void) {
    guard let index = records.firstIndex(where: { $0.keyID.hasSameBytes(as: keyID) }) else {
      return
    }
    change(&records[index])
  }
}
