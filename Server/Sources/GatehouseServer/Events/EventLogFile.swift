import Foundation
import GatehouseProtocol
package import GatehouseTokens

/// An exported event log: one JSON object on each line. The first line has the public keys. Then come
/// the events, oldest first, with the checkpoints at them.
package enum EventLogFile {
  /// What is wrong with a file.
  package enum Fault: Error, CustomStringConvertible {
    case line(Int)
    case keys

    package var description: String {
      switch self {
      case .line(let number): "line \(number) is not a line of an exported event log"
      case .keys: "the first line has no keys"
      }
    }
  }

  fileprivate struct Line: Codable {
    var event: StoredEvent?
    var checkpoint: String?
    var keys: KeySetText?
  }

  /// The key set document as a text, so that the file keeps its bytes.
  fileprivate struct KeySetText: Codable {
    var document: String
  }

  fileprivate struct StoredEvent: Codable {
    var number: Int64
    var id: String
    var project: String?
    var kind: String
    var uid: String?
    /// Milliseconds since 1970.
    var at: Int64
    var actor: String
    var details: [String: String]
    var source: EventSource?
    var sourceSalt: Data?
    var sourceDigest: Data?
    var digest: Data
  }

  /// A part of the lines, as JSON: `{"lines": [...], "nextPageToken", "fault"}`.
  static func page(_ part: EventExport, keys: [UInt8]?) throws -> [UInt8] {
    let first = keys.map {
      Line(keys: KeySetText(document: String(decoding: $0, as: UTF8.self)))
    }
    let page = Page(
      lines: [first].compactMap(\.self) + part.links.map { Line(event: StoredEvent($0)) }
        + part.checkpoints.map { Line(checkpoint: $0.token) },
      nextPageToken: part.next.map { String($0) }, fault: part.fault?.description)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(page))
  }

  private struct Page: Encodable {
    var lines: [Line]
    var nextPageToken: String?
    var fault: String?
  }

  /// Verifies the lines of a file.
  ///
  /// - Parameter trusted: The keys that may have signed checkpoints. If nil, the keys in the file
  ///   are used. The result then shows only that the file is consistent.
  /// - Throws: ``Fault``; the error of `KeySet` if the keys in the file can't be parsed.
  package static func verify(
    _ lines: some Sequence<String>, trusting trusted: KeySet?
  ) throws -> EventChainReport {
    var keys: KeySet?
    var links: [EventLink] = []
    var check = EventChainCheck()
    for (index, line) in lines.enumerated() {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
        throw Fault.line(index + 1)
      }
      if let document = line.keys?.document {
        keys = try trusted ?? KeySet(jwks: Array(document.utf8))
      } else if let token = line.checkpoint {
        guard let keys else { throw Fault.keys }
        check.add(token: token, keys: keys)
      } else if let link = line.event.flatMap({ EventLink($0) }) {
        links.append(link)
      } else {
        throw Fault.line(index + 1)
      }
    }
    for link in links { check.add(link) }
    return check.finish(requiresSignedEnd: true)
  }
}

extension EventLogFile.StoredEvent {
  fileprivate init(_ link: EventLink) {
    let event = link.event
    self.init(
      number: link.number, id: event.id.text, project: event.project?.text,
      kind: event.kind.rawValue, uid: event.uid?.text,
      at: Int64((event.at.timeIntervalSince1970 * 1000).rounded()), actor: event.actor.text,
      details: event.details, source: event.source.isEmpty ? nil : event.source,
      sourceSalt: link.isSourceKept ? link.seal.map { Data($0.salt) } : nil,
      sourceDigest: link.seal.map { Data($0.digest) }, digest: Data(link.digest))
  }
}

extension EventLink {
  fileprivate init?(_ stored: EventLogFile.StoredEvent) {
    guard let id = EventID(stored.id), let kind = EventKind(rawValue: stored.kind),
      let actor = EventActor(stored.actor)
    else { return nil }
    let project = stored.project.flatMap { ProjectID($0) }
    let uid = stored.uid.flatMap { UID($0) }
    guard (project == nil) == (stored.project == nil), (uid == nil) == (stored.uid == nil) else {
      return nil
    }
    let seal = stored.sourceDigest.map {
      EventSeal(salt: Array(stored.sourceSalt ?? Data()), digest: Array($0))
    }
    self.init(
      event: Event(
        id: id, project: project, kind: kind, uid: uid,
        at: Date(timeIntervalSince1970: Double(stored.at) / 1000), actor: actor,
        details: stored.details, source: stored.source ?? EventSource()),
      position: 0, number: stored.number, seal: seal,
      isSourceKept: seal == nil || stored.source != nil, digest: Array(stored.digest))
  }
}
