package import Foundation
package import GatehouseProtocol
package import GatehouseTokens
import Synchronization

/// Signs checkpoints of the event log's chains.
///
/// Before ``run(now:)`` signs a checkpoint, it verifies the chain from the last checkpoint on. A process
/// also remembers the last checkpoint of each chain. So an attacker who can write to the database can't
/// make a running server sign another chain in place of the one that it has signed.
package final class EventCheckpoints: Sendable {
  private let store: any Store
  private let keys: SigningKeys
  /// The last checkpoint of each chain that this process has seen.
  private let known = Mutex<[ProjectID?: EventChainEnd]>([:])

  private static let page = 500

  /// A chain gets a checkpoint when it has this many events since the last one.
  package static let events: Int64 = 1000
  /// A chain with a new event gets a checkpoint when the last one is this old. Seconds.
  package static let seconds: TimeInterval = 3600

  /// - Parameter keys: The ring `eventLog`.
  package init(store: any Store, keys: SigningKeys) {
    self.store = store
    self.keys = keys
  }

  /// The key set with which checkpoints are verified (RFC 7517 §5).
  package var keyDocument: [UInt8] { keys.document }
  package var keySet: KeySet { keys.keySet }

  /// What one round did.
  package struct Outcome: Sendable {
    package var signed = 0
    /// The chains that were changed or can't be read. They get no checkpoint.
    package var faults: [(project: ProjectID?, fault: EventChainReport.Fault)] = []
  }

  /// Signs a checkpoint for each chain that is due for one, unless the chain was changed.
  @discardableResult
  package func run(now: Date) async throws -> Outcome {
    var outcome = Outcome()
    let chains = try await store.read { try $0.chains() }
    // Forgets the chains of deleted projects. The server's own chain has the events of their deletion.
    known.withLock { known in known = known.filter { chains.contains($0.key) } }
    for project in chains {
      let (isSigned, fault) = try await sign(project, onlyIfDue: true, now: now)
      if isSigned { outcome.signed += 1 }
      if let fault { outcome.faults.append((project, fault)) }
    }
    return outcome
  }

  /// Signs a checkpoint for the end of the chain if it has none, unless the chain was changed.
  @discardableResult
  package func sign(
    _ project: ProjectID?, onlyIfDue: Bool = false, now: Date
  ) async throws -> (isSigned: Bool, fault: EventChainReport.Fault?) {
    // Before the database is read: meanwhile, another call may sign a later one.
    let remembered = known.withLock { $0[project] }
    let (end, last) = try await store.read { transaction in
      (try transaction.chainEnd(of: project), try transaction.lastEventCheckpoint(of: project))
    }
    if let remembered, last?.end != remembered, last?.end.number ?? 0 <= remembered.number {
      return (false, .checkpointRemoved(remembered.number))
    }
    if let last { remember(last.end, of: project) }
    let isDue =
      end.number - (last?.end.number ?? 0) >= Self.events
      || now.timeIntervalSince(last?.at ?? .distantPast) >= Self.seconds
    guard end.number > (last?.end.number ?? 0), isDue || !onlyIfDue else { return (false, nil) }
    do {
      if let fault = try await fault(behind: last, upTo: end, of: project) {
        return (false, fault)
      }
    } catch StoreError.damaged {
      return (false, .unreadable(after: last?.end.number ?? 0))
    }
    let checkpoint = try sign(end, of: project, now: now)
    try await store.write { try $0.insert(checkpoint) }
    remember(end, of: project)
    return (true, nil)
  }

  private func remember(_ end: EventChainEnd, of project: ProjectID?) {
    known.withLock { known in
      if known[project]?.number ?? 0 < end.number { known[project] = end }
    }
  }

  /// Verifies the last checkpoint, and the links that the next checkpoint covers.
  private func fault(
    behind last: EventCheckpoint?, upTo end: EventChainEnd, of project: ProjectID?
  ) async throws -> EventChainReport.Fault? {
    if let last {
      guard let signed = try? EventCheckpoint(verifying: last.token, keys: keys.keySet),
        signed.end == last.end, signed.project == project
      else { return .forgedCheckpoint(last.end.number) }
    }
    var reached = last?.end ?? .empty
    while reached.number < end.number {
      let number = reached.number
      let links = try await store.read {
        try $0.eventLinks(of: project, after: number, limit: Self.page)
      }
      guard !links.isEmpty else { return .cutOff(at: number, expected: end.number) }
      for link in links where link.number <= end.number {
        guard link.follows(reached) else { return .changed(link.number) }
        reached = link.end
      }
    }
    return reached == end ? nil : .changed(end.number)
  }

  private func sign(
    _ end: EventChainEnd, of project: ProjectID?, now: Date
  ) throws -> EventCheckpoint {
    let payload = ClaimsWriter.payload { claims in
      claims.string("project", ifPresent: project?.text)
      claims.int("number", end.number)
      claims.string("digest", Base64URL.encode(end.digest))
      claims.date("iat", now)
    }
    return EventCheckpoint(
      project: project, end: end, at: now, token: try keys.writer.token(payload: payload))
  }
}

extension EventCheckpoint {
  private struct Statement: Decodable {
    var project: String?
    var number: Int64
    var digest: String
    var iat: Double
  }

  /// Reads a signed checkpoint.
  ///
  /// - Throws: `TokenError` if no key of the set signed it, or if it isn't a checkpoint.
  package init(verifying token: String, keys: KeySet) throws {
    let jws = try SignatureVerifier(keys: keys).verify(try UnverifiedJWS(token))
    guard jws.header.type?.utf8.elementsEqual(Self.tokenType.utf8) == true,
      let statement = try? JSONDecoder().decode(Statement.self, from: Data(jws.payload)),
      let digest = Base64URL.decode(statement.digest)
    else { throw TokenError(.type) }
    self.init(
      project: try statement.project.map {
        guard let id = ProjectID($0) else { throw TokenError(.type) }
        return id
      }, end: EventChainEnd(number: statement.number, digest: digest),
      at: Date(timeIntervalSince1970: statement.iat), token: token)
  }
}
