package import Foundation
package import GatehouseModel
package import GatehouseTokens

/// Signs how far the chains of the event log have reached, and checks such statements.
package struct EventCheckpoints: Sendable {
  private let store: any Store
  private let keys: SigningKeys

  /// A chain gets a checkpoint after this many events, or after this time if it has any new event.
  package static let events: Int64 = 1000
  package static let seconds: TimeInterval = 3600

  /// - Parameter keys: The ring `eventLog`.
  package init(store: any Store, keys: SigningKeys) {
    self.store = store
    self.keys = keys
  }

  /// The key set with which checkpoints are verified (RFC 7517 §5).
  package var keyDocument: [UInt8] { keys.document }

  /// Signs a checkpoint for each chain for which one is due.
  ///
  /// - Returns: How many there were.
  @discardableResult
  package func run(now: Date) async throws -> Int {
    var count = 0
    for project in try await store.read({ try $0.chains() }) {
      let (end, last) = try await store.read { transaction in
        (try transaction.chainEnd(of: project), try transaction.eventCheckpoints(of: project).last)
      }
      let isDue =
        end.number - (last?.end.number ?? 0) >= Self.events
        || now.timeIntervalSince(last?.at ?? .distantPast) >= Self.seconds
      guard end.number > (last?.end.number ?? 0), isDue else { continue }
      let checkpoint = try sign(end, of: project, now: now)
      try await store.write { try $0.insert(checkpoint) }
      count += 1
    }
    return count
  }

  /// A checkpoint for the end of the chain as it is now; it isn't stored.
  package func current(of project: ProjectID?, now: Date) async throws -> EventCheckpoint {
    let end = try await store.read { try $0.chainEnd(of: project) }
    return try sign(end, of: project, now: now)
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
