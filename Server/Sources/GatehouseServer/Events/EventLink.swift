import Crypto
import Foundation
import GatehouseProtocol

/// An event with its place in its project's hash chain. A changed, removed or inserted event breaks
/// the chain.
///
/// Each project has a chain of its own, so a project's log can be exported and verified alone. One
/// process at a time links events, after the transactions that recorded them. If those transactions
/// linked the events, all changes of a project would have to wait for each other.
package struct EventLink: Sendable {
  package let event: Event
  /// The place in the order of all events of the database, from 1.
  package let position: Int64
  /// The place in the project's chain, from 1 without gaps.
  package let number: Int64
  /// Hides ``Event/source`` in the chain. Nil for an event without a source.
  package let seal: EventSeal?
  /// False if the source was erased.
  package let isSourceKept: Bool
  /// SHA-256 of the event, its number and the previous digest.
  package let digest: [UInt8]

  /// For an event that is read from a store or a file.
  package init(
    event: Event, position: Int64, number: Int64, seal: EventSeal?, isSourceKept: Bool,
    digest: [UInt8]
  ) {
    self.event = event
    self.position = position
    self.number = number
    self.seal = seal
    self.isSourceKept = isSourceKept
    self.digest = digest
  }

  /// Links the event to the end of its chain.
  package init(_ event: Event, position: Int64, after end: EventChainEnd) {
    self.event = event
    self.position = position
    number = end.number + 1
    let seal = event.source.isEmpty ? nil : EventSeal(of: event.source)
    self.seal = seal
    isSourceKept = true
    digest = Self.digest(of: event, number: end.number + 1, seal: seal, after: end.digest)
  }

  package var end: EventChainEnd { EventChainEnd(number: number, digest: digest) }

  /// Whether the link follows `end`, and its event is the one that was linked.
  package func follows(_ end: EventChainEnd) -> Bool {
    guard number == end.number + 1,
      digest == Self.digest(of: event, number: number, seal: seal, after: end.digest)
    else { return false }
    guard isSourceKept, let seal else { return event.source.isEmpty }
    return seal.fits(event.source)
  }

  /// Hashes the fields in a fixed order, each after its length, so that the hashed bytes of two
  /// different events are never the same.
  private static func digest(
    of event: Event, number: Int64, seal: EventSeal?, after previous: [UInt8]
  ) -> [UInt8] {
    var hash = SHA256()
    let add = { (bytes: [UInt8]) in
      var length = UInt64(bytes.count).bigEndian
      unsafe withUnsafeBytes(of: &length) { unsafe hash.update(bufferPointer: $0) }
      hash.update(data: bytes)
    }
    add(Array("gatehouse event 1".utf8))
    add(previous)
    for text in [
      event.project?.text ?? "", String(number), event.id.text, event.kind.rawValue,
      event.uid?.text ?? "",
      String(Int64((event.at.timeIntervalSince1970 * 1000).rounded())), event.actor.text,
      event.detailsText,
    ] {
      add(Array(text.utf8))
    }
    add(seal?.digest ?? [])
    return Array(hash.finalize())
  }
}

/// Hides an event's source in the chain: the chain contains the digest of the source and of random
/// bytes. After the source and the random bytes are erased, the digest doesn't reveal the source, and
/// the chain can still be verified.
package struct EventSeal: Hashable, Sendable {
  package let salt: [UInt8]
  package let digest: [UInt8]

  package init(salt: [UInt8], digest: [UInt8]) {
    self.salt = salt
    self.digest = digest
  }

  fileprivate init(of source: EventSource) {
    var generator = SystemRandomNumberGenerator()
    let salt = generator.bytes(16)
    self.init(salt: salt, digest: Self.digest(of: source, salt))
  }

  fileprivate func fits(_ source: EventSource) -> Bool { digest == Self.digest(of: source, salt) }

  private static func digest(of source: EventSource, _ salt: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: salt + Array(source.stored.utf8)))
  }
}

/// The last link of a chain. A chain without links ends with number 0 and no digest.
package struct EventChainEnd: Hashable, Sendable {
  package let number: Int64
  package let digest: [UInt8]

  package init(number: Int64, digest: [UInt8]) {
    self.number = number
    self.digest = digest
  }

  package static let empty = EventChainEnd(number: 0, digest: [])
}

extension Event {
  /// ``details`` as JSON with sorted members.
  package var detailsText: String {
    FlatObject.text(
      details.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { (name: $0.key, value: $0.value) })
  }

  /// Nil for a text that isn't a JSON object with only string values.
  package static func details(_ text: String) -> [String: String]? { FlatObject.members(text) }
}

extension EventSource {
  /// JSON with sorted members.
  package var stored: String {
    let members = [
      ("address", address), ("app", app), ("request", request), ("userAgent", userAgent),
    ]
    return FlatObject.text(
      members.compactMap { name, value in value.map { (name: name, value: $0) } })
  }

  /// Nil for a text that isn't a JSON object with only string values.
  package init?(stored text: String) {
    guard let members = FlatObject.members(text) else { return nil }
    self.init(
      address: members["address"], userAgent: members["userAgent"], app: members["app"],
      request: members["request"])
  }
}
