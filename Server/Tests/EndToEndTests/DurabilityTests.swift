import Foundation
import Synchronization
import Testing

/// Acknowledged writes survive a kill of the server.
@Suite struct DurabilityTests {
  private static let workers = 12
  private static let acknowledgedBeforeKill = 120

  @Test func `every acknowledged account survives a kill under load`() async throws {
    try await TemporaryFolder.with { folder in
      let options = GatehouseServer.Options()
      let acknowledged = Acknowledged()
      let first = try await GatehouseServer.start(options, in: folder)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<Self.workers {
          group.addTask { await Self.load(first, worker, acknowledged) }
        }
        let isEnough = try await Deadline.wait(seconds: 240) {
          acknowledged.count >= Self.acknowledgedBeforeKill
        }
        try await first.killHard()
        try await group.waitForAll()
        #expect(isEnough)
      }

      let second = try await GatehouseServer.start(options, in: folder)
      defer { second.process.kill() }
      let sessions = acknowledged.sessions
      var found: Set<String> = []
      for start in stride(from: 0, to: sessions.count, by: 100) {
        let page = sessions[start..<min(start + 100, sessions.count)]
        let reply = try await second.administrator.call(
          .post, "accounts:lookup", ["localId": .array(page.map { .string($0.uid) })])
        found.formUnion(reply.json["users"].array.compactMap { $0["localId"].string })
      }
      #expect(Set(sessions.map(\.uid)).subtracting(found).isEmpty)
      for session in sessions {
        let refreshed = try await second.app.refresh(session.refreshToken)
        #expect(refreshed.verdict == "200")
        #expect(refreshed.json["user_id"].string == session.uid)
      }
      #expect(try await second.stop() == 0)
    }
  }

  /// Creates accounts until the server is killed. Counts only acknowledged ones.
  private static func load(
    _ server: GatehouseServer, _ worker: Int, _ acknowledged: Acknowledged
  ) async {
    while true {
      do {
        let reply =
          switch worker % 3 {
          case 0: try await server.app.call("signUp", ["returnSecureToken": true])
          case 1: try await server.app.signUp(Unique.email(), "a long password")
          default:
            try await server.app.signIn(
              try await server.providers.google(try await server.providers.person()))
          }
        guard let uid = reply.json["localId"].string,
          let refreshToken = reply.json["refreshToken"].string
        else {
          Issue.record("\(reply.status) \(reply.text)")
          return
        }
        acknowledged.add(uid, refreshToken)
      } catch {
        return
      }
    }
  }
}

/// The writes that were acknowledged to clients.
private final class Acknowledged: Sendable {
  struct Session: Sendable {
    let uid: String
    let refreshToken: String
  }

  private let list = Mutex<[Session]>([])

  var count: Int { list.withLock { $0.count } }
  var sessions: [Session] { list.withLock { $0 } }

  func add(_ uid: String, _ refreshToken: String) {
    list.withLock { $0.append(Session(uid: uid, refreshToken: refreshToken)) }
  }
}
