import GatehouseProtocol
package import GatehouseTokens

/// What the verification of a chain found.
package struct EventChainReport: Hashable, Sendable {
  package enum Fault: Hashable, Sendable, CustomStringConvertible {
    /// The event doesn't have the digest with which it was linked.
    case changed(Int64)
    /// Between these two numbers events are missing, or one was inserted.
    case gap(after: Int64, next: Int64)
    /// The chain ends before the last event that was linked.
    case cutOff(at: Int64, expected: Int64)
    /// The event is not the one that the checkpoint signed.
    case differsFromCheckpoint(Int64)
    /// The server did not sign the checkpoint.
    case forgedCheckpoint(Int64)
    case unreadableCheckpoint
    /// No checkpoint covers the end of an exported log: the last events may be forged.
    case unsignedEnd(Int64)
    /// The event's source is missing, but the account wasn't erased later.
    case sourceRemoved(Int64)
    /// The last checkpoint that the server signed is no longer in the database.
    case checkpointRemoved(Int64)
    /// An event after this one can't be read.
    case unreadable(after: Int64)

    package var description: String {
      switch self {
      case .changed(let number):
        "event \(number) is not the one that was recorded, or the event before it was removed"
      case .gap(let after, let next): "events are missing between event \(after) and event \(next)"
      case .cutOff(let last, let expected):
        "the log ends with event \(last), but event \(expected) was recorded"
      case .differsFromCheckpoint(let number):
        "event \(number) is not the one that the checkpoint signed"
      case .forgedCheckpoint(let number):
        "the checkpoint at event \(number) is not signed by this server"
      case .unreadableCheckpoint: "a checkpoint is not signed by the given keys"
      case .unsignedEnd(let number):
        "the log ends with event \(number), which no checkpoint covers"
      case .sourceRemoved(let number):
        "the source of event \(number) is missing, but its account was not erased later"
      case .checkpointRemoved(let number):
        "the checkpoint at event \(number), which the server signed, is missing"
      case .unreadable(let number):
        "an event after event \(number) can't be read: a newer version of gatehouse recorded it, or the "
          + "database is damaged"
      }
    }
  }

  package let faults: [Fault]
  /// How many events were verified.
  package let count: Int
  /// The numbers of the first and the last event; nil for a log without events.
  package let range: ClosedRange<Int64>?
  /// The last checkpoint that agrees with the chain.
  package let lastCheckpoint: EventCheckpoint?
  /// The checkpoint before the first event: the events up to it were removed after their retention
  /// time. Nil if the log begins with the first event that was recorded.
  package let start: EventCheckpoint?

  package static func == (left: Self, right: Self) -> Bool {
    left.faults == right.faults && left.count == right.count && left.range == right.range
      && left.lastCheckpoint?.token == right.lastCheckpoint?.token
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(faults)
    hasher.combine(count)
  }
}

/// Verifies the links of one chain, oldest first.
package struct EventChainCheck {
  private var checkpoints: [Int64: [EventCheckpoint]] = [:]
  private var end: EventChainEnd?
  private var first: Int64?
  private var count = 0
  private var lastCheckpoint: EventCheckpoint?
  private var start: EventCheckpoint?
  /// For each account, the first event whose source is missing. A later erasure of the account
  /// explains it.
  private var missingSources: [UID: Int64] = [:]
  private var faults: [EventChainReport.Fault] = []
  /// An operator needs to see that a log was changed and where the change begins, but not every
  /// event after it.
  private static let faultLimit = 20

  /// - Parameters:
  ///   - checkpoints: Checkpoints whose signatures are already verified.
  ///   - end: The link before the first one that is added; nil: the chain's first links are added.
  package init(checkpoints: [EventCheckpoint] = [], after end: EventChainEnd? = nil) {
    self.end = end
    for checkpoint in checkpoints {
      self.checkpoints[checkpoint.end.number, default: []].append(checkpoint)
    }
  }

  /// Verifies the signature of a checkpoint from the database or a file, and adds the checkpoint.
  package mutating func add(_ checkpoint: EventCheckpoint, keys: KeySet) {
    guard let signed = try? EventCheckpoint(verifying: checkpoint.token, keys: keys),
      signed.end == checkpoint.end, signed.project == checkpoint.project
    else { return note(.forgedCheckpoint(checkpoint.end.number)) }
    checkpoints[signed.end.number, default: []].append(signed)
  }

  /// Verifies and adds a checkpoint from a file, which has only the token.
  package mutating func add(token: String, keys: KeySet) {
    guard let signed = try? EventCheckpoint(verifying: token, keys: keys) else {
      return note(.unreadableCheckpoint)
    }
    checkpoints[signed.end.number, default: []].append(signed)
  }

  package mutating func add(_ link: EventLink) {
    defer {
      end = link.end
      count += 1
      compare(link.end)
      explainSource(of: link)
    }
    if first == nil { first = link.number }
    guard let end else {
      // If the first link isn't number 1, the events before it were removed after their retention
      // time. The checkpoint at the last of them is kept.
      start = checkpoints[link.number - 1, default: []].first { link.follows($0.end) }
      let before =
        link.number == 1
        ? [EventChainEnd.empty] : checkpoints[link.number - 1, default: []].map(\.end)
      if before.isEmpty { return note(.gap(after: 0, next: link.number)) }
      if !before.contains(where: { link.follows($0) }) { note(.changed(link.number)) }
      return
    }
    if link.number != end.number + 1 {
      note(.gap(after: end.number, next: link.number))
    } else if !link.follows(end) {
      note(.changed(link.number))
    }
  }

  /// Explains the missing sources of the accounts that `isErased` names: they were erased after the last link.
  mutating func explainSources(_ isErased: (UID) throws -> Bool) rethrows {
    missingSources = try missingSources.filter { try !isErased($0.key) }
  }

  private mutating func compare(_ end: EventChainEnd) {
    for checkpoint in checkpoints[end.number, default: []] {
      if checkpoint.end == end {
        lastCheckpoint = checkpoint
      } else {
        note(.differsFromCheckpoint(end.number))
      }
    }
  }

  private mutating func explainSource(of link: EventLink) {
    guard let uid = link.event.uid else { return }
    if !link.isSourceKept, missingSources[uid] == nil { missingSources[uid] = link.number }
    if link.event.kind == .deleted { missingSources[uid] = nil }
  }

  private mutating func note(_ fault: EventChainReport.Fault) {
    if faults.count < Self.faultLimit { faults.append(fault) }
  }

  /// - Parameters:
  ///   - last: The end of the chain, if it is known from another source.
  ///   - requiresSignedEnd: Whether the last event must have a checkpoint, as in an exported log.
  package mutating func finish(
    expecting last: EventChainEnd? = nil, requiresSignedEnd: Bool = false
  ) -> EventChainReport {
    for number in missingSources.values.sorted() { note(.sourceRemoved(number)) }
    if let end, requiresSignedEnd, lastCheckpoint?.end != end { note(.unsignedEnd(end.number)) }
    // If a chain has no new events, all of its events may have been removed after their retention
    // time.
    let removed = last.flatMap { last in checkpoints[last.number]?.first { $0.end == last } }
    let reached = end?.number ?? removed?.end.number ?? 0
    let expected = max(last?.number ?? 0, checkpoints.keys.max() ?? 0)
    if reached < expected {
      note(.cutOff(at: reached, expected: expected))
    } else if let last, let end, last.number == end.number, last.digest != end.digest {
      note(.changed(end.number))
    }
    return EventChainReport(
      faults: faults, count: count, range: first.map { $0...max($0, reached) },
      lastCheckpoint: lastCheckpoint, start: start ?? (end == nil ? removed : nil))
  }
}
