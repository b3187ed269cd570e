import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Every change of a log is found.
@Suite struct EventChainCheckTests {
  private let links: [EventLink]

  init() throws {
    let project = try #require(ProjectID("demo"))
    var end = EventChainEnd.empty
    var links: [EventLink] = []
    for number in 1...5 as ClosedRange<Int64> {
      let event = Event(
        project: project, kind: .linked, uid: UID("user\(number)"),
        at: Date(timeIntervalSince1970: 1_800_000_000 + Double(number)), actor: .user,
        details: ["provider": "google.com"], source: EventSource(address: "192.0.2.\(number)"))
      let link = EventLink(event, position: number, after: end)
      links.append(link)
      end = link.end
    }
    self.links = links
  }

  private func faults(
    _ links: [EventLink], checkpoints: [EventCheckpoint] = [], expecting end: EventChainEnd? = nil
  ) -> [EventChainReport.Fault] {
    var check = EventChainCheck(checkpoints: checkpoints)
    for link in links { check.add(link) }
    return check.finish(expecting: end).faults
  }

  private func changed(
    _ link: EventLink, kind: EventKind? = nil, uid: UID? = nil, seconds: Double = 0,
    actor: EventActor? = nil, details: [String: String]? = nil, source: EventSource? = nil,
    project: ProjectID? = nil
  ) -> EventLink {
    let event = link.event
    return EventLink(
      event: Event(
        id: event.id, project: project ?? event.project, kind: kind ?? event.kind,
        uid: uid ?? event.uid, at: event.at + seconds, actor: actor ?? event.actor,
        details: details ?? event.details, source: source ?? event.source),
      position: link.position, number: link.number, seal: link.seal,
      isSourceKept: link.isSourceKept, digest: link.digest)
  }

  private func checkpoint(_ link: EventLink) -> EventCheckpoint {
    EventCheckpoint(
      project: link.event.project, end: link.end, at: link.event.at, token: "token")
  }

  @Test func `a log as it was recorded holds`() {
    #expect(faults(links, expecting: links[4].end).isEmpty)
  }

  @Test func `a changed field of an event`() {
    let variants = [
      changed(links[2], kind: .unlinked), changed(links[2], uid: UID("other")),
      changed(links[2], seconds: 0.001), changed(links[2], actor: .server),
      changed(links[2], details: [:]),
      changed(links[2], details: ["provider": "google.com", "a": "b"]),
      changed(links[2], source: EventSource(address: "192.0.2.9")),
      changed(links[2], project: ProjectID("other")),
    ]
    for variant in variants {
      var log = links
      log[2] = variant
      #expect(faults(log) == [.changed(3)], "\(variant.event)")
    }
  }

  @Test func `a removed event`() {
    var log = links
    log.remove(at: 2)
    #expect(faults(log) == [.gap(after: 2, next: 4)])
  }

  @Test func `an inserted event, with the numbers behind it counted up`() {
    let inserted = EventLink(links[0].event, position: 9, after: links[1].end)
    let moved = links[2...].map { link in
      EventLink(
        event: link.event, position: link.position, number: link.number + 1, seal: link.seal,
        isSourceKept: true, digest: link.digest)
    }
    #expect(faults(links[..<2] + [inserted] + moved) == [.changed(4), .changed(5), .changed(6)])
  }

  @Test func `two events that changed places`() {
    var log = links
    log.swapAt(2, 3)
    #expect(faults(log).first == .gap(after: 2, next: 4))
  }

  @Test func `events cut off at the end`() {
    #expect(
      faults(Array(links.dropLast(2)), expecting: links[4].end)
        == [.cutOff(at: 3, expected: 5)])
    #expect(
      faults(Array(links.dropLast(2)), checkpoints: [checkpoint(links[3])])
        == [.cutOff(at: 3, expected: 4)])
  }

  /// Whoever can write the database can compute the digests, but can't sign a checkpoint.
  @Test func `a chain that was computed anew differs from its checkpoint`() {
    var end = links[1].end
    let forged = links[2...].map { link in
      let new = EventLink(
        changed(link, actor: .server).event, position: link.position, after: end)
      end = new.end
      return new
    }
    let log = links[..<2] + forged
    #expect(faults(Array(log), expecting: end).isEmpty)
    #expect(
      faults(Array(log), checkpoints: [checkpoint(links[4])], expecting: end)
        == [.differsFromCheckpoint(5)])
  }

  @Test func `events removed at the beginning, other than up to a checkpoint`() {
    let rest = Array(links.dropFirst(2))
    #expect(faults(rest) == [.gap(after: 0, next: 3)])
    #expect(faults(rest, checkpoints: [checkpoint(links[1])]).isEmpty)
    #expect(faults(rest, checkpoints: [checkpoint(links[0])]) == [.gap(after: 0, next: 3)])
  }

  @Test func `an erased source is no change`() {
    let link = links[2]
    let event = link.event
    var log = links
    log[2] = EventLink(
      event: Event(
        id: event.id, project: event.project, kind: event.kind, uid: event.uid, at: event.at,
        actor: event.actor, details: event.details),
      position: link.position, number: link.number,
      seal: link.seal.map { EventSeal(salt: [], digest: $0.digest) }, isSourceKept: false,
      digest: link.digest)
    let deletion = Event(
      project: event.project, kind: .deleted, uid: event.uid, at: links[4].event.at, actor: .user)
    #expect(faults(log + [EventLink(deletion, position: 6, after: links[4].end)]).isEmpty)
  }

  @Test func `an erased source without the account's deletion`() throws {
    var erased = links
    erased[1] = EventLink(
      event: Event(
        id: links[1].event.id, project: links[1].event.project, kind: links[1].event.kind,
        uid: links[1].event.uid, at: links[1].event.at, actor: links[1].event.actor,
        details: links[1].event.details),
      position: 2, number: 2, seal: links[1].seal.map { EventSeal(salt: [], digest: $0.digest) },
      isSourceKept: false, digest: links[1].digest)
    #expect(faults(erased) == [.sourceRemoved(2)])
    let deletion = Event(
      project: links[1].event.project, kind: .deleted, uid: links[1].event.uid,
      at: links[4].event.at, actor: .user)
    let last = EventLink(deletion, position: 6, after: links[4].end)
    #expect(faults(erased + [last]).isEmpty)
  }

  @Test func `an exported log without a checkpoint for its end`() {
    for (checkpoints, expected) in [
      ([checkpoint(links[4])], []),
      ([checkpoint(links[2])], [EventChainReport.Fault.unsignedEnd(5)]),
      ([], [.unsignedEnd(5)]),
    ] {
      var check = EventChainCheck(checkpoints: checkpoints)
      for link in links { check.add(link) }
      #expect(check.finish(requiresSignedEnd: true).faults == expected)
    }
  }
}
