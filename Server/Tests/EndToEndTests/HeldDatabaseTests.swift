import Foundation
import Testing

/// Another process locks the database for longer than any request waits.
@Suite struct HeldDatabaseTests {
  private static let holder = """
    import sqlite3, sys, time
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    print("held", flush=True)
    time.sleep(600)
    """

  @Test func `while the database is locked, changes fail with 503 and reads work`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(.init(), in: folder)
      defer { server.process.kill() }
      let session = try await server.app.signUp(Unique.email(), "a long password")
      let idToken = try #require(session.json["idToken"].string)

      let holder = try ChildProcess(
        "/usr/bin/env",
        ["python3", "-c", Self.holder, folder.path + "/data/gatehouse.sqlite"], folder: folder)
      defer { holder.kill() }
      let isHeld = try await Deadline.wait { holder.output.contains("held") }
      #expect(isHeld, "\(holder.errors)")
      let refused = try await server.app.signUp(Unique.email(), "a long password")
      #expect(refused.status == 503, "\(refused.text)")
      #expect(try await server.app.lookup(idToken).verdict == "200")

      holder.kill()
      try await holder.end()
      #expect(try await server.app.signUp(Unique.email(), "a long password").verdict == "200")
      #expect(try await server.stop() == 0)
    }
  }
}
