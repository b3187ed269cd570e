package import struct Foundation.Date
import GatehouseProtocol

/// Decides which of our signing keys are published and which one signs: a pure state machine.
///
/// ```
///   generate ─► next ──activate──► active ──retire──► retired ──remove──► gone
///              published,          published,         published,
///              doesn't sign        signs              doesn't sign
/// ```
///
/// ``advance(now:)`` makes the state changes that are due and returns the actions to execute. When
/// ``Action/generate`` asks for a key, the caller creates one and passes its id to
/// ``add(keyID:now:)``. The ring holds no key material: a record has an id, a state and times. The
/// whole ring is a value to be stored. A store with several writers loads, advances, adds and saves
/// in one transaction.
///
/// A key set may be cached for an hour. Therefore a key is published long before it signs and long
/// after its last signature. A new key signs at once only if no other key can sign: in an empty
/// ring, or after ``rotateNow(now:discardingAll:)`` retired the active key and there was no next
/// one.
package struct SigningKeyRing: Sendable, Hashable {
  package private(set) var records: [Record]
  package let schedule: Schedule

  package init(schedule: Schedule, records: [Record] = []) {
    self.schedule = schedule
    self.records = records
  }

  /// The key that signs.
  package var activeKeyID: String? { first(.active)?.keyID }

  /// The keys in the published key set, the active one first.
  package var publishedKeyIDs: [String] {
    ([State.active, .next, .retired] as [State]).flatMap { state in
      records.filter { $0.state == state }.map(\.keyID)
    }
  }

  /// Makes the state changes that are due at `now`, in order, and returns the actions to execute.
  /// Idempotent: a second call changes nothing, but asks again for a key that wasn't added.
  package mutating func advance(now: Date) -> [Action] {
    var actions = removeOutdated(now: now)
    if let next = first(.next), isDue(next, now: now) { actions += activate(next, now: now) }
    if needsKey(now: now) { actions.append(.generate) }
    return actions
  }

  /// Adds a generated key. It signs at once if no key is active. Otherwise it becomes the next key.
  ///
  /// If there is a next key already (two servers may have generated one at the same time), the key
  /// is not added.
  package mutating func add(keyID: String, now: Date) -> [Action] {
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
  /// The next key takes over even if caches don't have it yet. If there is no next key, add one
  /// when ``Action/generate`` asks for it.
  ///
  /// - Parameters:
  ///   - now: The latest time at which the old key can have signed.
  ///   - discardingAll: Also removes all keys, the next one included, from the key set: for keys
  ///     that may have been stolen. Verifiers reject all tokens that they signed, as soon as they
  ///     no longer have the keys in a cache.
  package mutating func rotateNow(now: Date, discardingAll: Bool) -> [Action] {
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

  /// Lets the next key take over ahead of the schedule, as soon as every verifier has it:
  /// ``Schedule/announcedSeconds`` after it was published. The active key signs until then.
  ///
  /// If there is no next key, add one when ``Action/generate`` asks for it, and call this again.
  package mutating func rotateSoon(now: Date) -> [Action] {
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
