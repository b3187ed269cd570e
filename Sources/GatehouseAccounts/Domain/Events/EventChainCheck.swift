import GatehouseModel
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
    /// The chain has another event than at the time of the checkpoint.
    case differsFromCheckpoint(Int64)
    /// The checkpoint has no signature by the server.
    case forgedCheckpoint(Int64)
    case unreadableCheckpoint
    /// No checkpoint covers the end of an exported log: it may have been made up.
    case unsignedEnd(Int64)
    /// From where the event was caused is missing, but the account wasn't erased later.
    case sourceRemoved(Int64)
    /// The last checkpoint that the server signed is no longer in the database.
    case checkpointRemoved(Int64)

    package var description: String {
      switch self {
      case .changed(let number):
        "event \(number) is not the one that was recorded, or one before it was removed"
      case .gap(let after, let next): "between event \(after) and event \(next) events are missing"
      case .cutOff(let last, let expected):
        "the log ends with event \(last); event \(expected) was recorded"
      case .differsFromCheckpoint(let number):
        "event \(number) is not the one that was there when the checkpoint was signed"
      case .forgedCheckpoint(let number):
        "the checkpoint at event \(number) is not signed by this server"
      case .unreadableCheckpoint: "a checkpoint is not signed by the given keys"
      case .unsignedEnd(let number):
        "the log ends with event \(number), for which it has no checkpoint"
      case .sourceRemoved(let number):
        "from where event \(number) was caused is missing, though its account was not erased later"
      case .checkpointRemoved(let number):
        "the checkpoint at event \(number), which the server signed, is missing"
      }
    }
  }

  package let faults: [Fault]
  /// How many events were verified.
  package let count: Int
  /// The numbers of the first and the last event; nil for a log without events.
  package let range: ClosedRange<Int64>?
  /// The last checkpoint that the chain fits.
  package let lastCheckpoint: EventCheckpoint?
  /// The checkpoint before the first event, up to which events were removed after their time. Nil if the
  /// log begins with the first event that was recorded.
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
  /// Of each account, the first event whose source is missing. The account's erasure explains it.
  private var missingSources: [UID: Int64] = [:]
  private var faults: [EventChainReport.Fault] = []
  /// An operator needs to see that a log was changed, and where it begins; not every event behind it.
  private static let faultLimit = 20

  /// - Parameter checkpoints: Whose signatures were verified.
  package init(checkpoints: [EventCheckpoint] = []) {
    for checkpoint in checkpoints {
      self.checkpoints[checkpoint.end.number, default: []].append(checkpoint)
    }
  }

  /// Adds a checkpoint of the database or of a file, whose signature has to be verified.
  package mutating func add(_ checkpoint: EventCheckpoint, keys: KeySet) {
    guard let signed = try? EventCheckpoint(verifying: checkpoint.token, keys: keys),
      signed.end == checkpoint.end, signed.project == checkpoint.project
    else { return note(.forgedCheckpoint(checkpoint.end.number)) }
    checkpoints[signed.end.number, default: []].append(signed)
  }

  /// Adds a checkpoint of a file, which has nothing but the token.
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
    guard let end else {
      first = link.number
      // What was before the first event was removed after its time. The checkpoint for it is kept.
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
  ///   - last: The end of the chain, if it is known otherwise.
  ///   - requiresSignedEnd: Whether the last event must have a checkpoint, as in an exported log.
  package mutating func finish(
    expecting last: EventChainEnd? = nil, requiresSignedEnd: Bool = false
  ) -> EventChainReport {
    for number in missingSources.values.sorted() { note(.sourceRemoved(number)) }
    if let end, requiresSignedEnd, lastCheckpoint?.end != end { note(.unsignedEnd(end.number)) }
    // Of a chain without new events everything may have been removed after its time.
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
