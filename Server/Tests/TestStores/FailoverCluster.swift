import Foundation

/// A primary, and if wanted a standby that confirms each commit, on sockets in a temporary folder.
package final class FailoverCluster: Sendable {
  private let folder: PostgresFolder

  private init(_ folder: PostgresFolder) { self.folder = folder }

  /// The primary and the standby: the one that accepts writes is used.
  package var url: String {
    "postgresql://gatehouse@/postgres?host=\(folder.path)/a,\(folder.path)/b&port=5432,5432"
  }

  package static func start(hasStandby: Bool = true) async throws -> FailoverCluster {
    let folder = try PostgresFolder()
    try folder.run(
      """
      mkdir a b
      initdb -D one -U gatehouse -A trust -E UTF8 --locale=C --no-sync
      start() { pg_ctl -D "$1" -l log -w -o "-k $PWD/$2 -c listen_addresses= -c fsync=off -c max_connections=200" start; }
      start one a
      \(hasStandby ? standby : "")
      touch ready
      wait_for_owner
      for server in one two; do
        id=$(head -1 $server/postmaster.pid 2>/dev/null) || continue
        kill -CONT $id $(ps -o pid= --ppid $id) 2>/dev/null || true
      done
      pg_ctl -D one -m immediate stop || true
      pg_ctl -D two -m immediate stop || true
      """)
    guard folder.hasWritten("ready") else {
      throw ClusterFailure("PostgreSQL didn't start: \(folder.log)")
    }
    return FailoverCluster(folder)
  }

  /// The name that the primary waits for is in a file that the standby doesn't copy.
  private static let standby = """
    pg_basebackup -h $PWD/a -U gatehouse -D two -R -X stream --checkpoint=fast --no-sync
    start two b
    psql -h $PWD/a -U gatehouse postgres -c "ALTER SYSTEM SET synchronous_standby_names = '*'" \\
      -c "SELECT pg_reload_conf()"
    """

  /// Kills every process of the primary, as a lost machine.
  package func killPrimary() async throws { try await kill(.primary) }

  package func kill(_ server: Server) async throws {
    try await folder.execute(
      """
      kill -9 $(head -1 \(server.rawValue)/postmaster.pid)
      while psql -h $PWD/\(server == .primary ? "a" : "b") -U gatehouse postgres -c "SELECT 1" >/dev/null 2>&1; do sleep 0.05; done
      """)
  }

  package enum Server: String, Sendable {
    case primary = "one"
    case standby = "two"
  }

  /// Stops every process of a server without ending it: its sockets accept connections, and nobody answers.
  package func freeze(_ server: Server) async throws { try await signal("STOP", server) }

  package func thaw(_ server: Server) async throws { try await signal("CONT", server) }

  private func signal(_ name: String, _ server: Server) async throws {
    try await folder.execute(
      """
      id=$(head -1 \(server.rawValue)/postmaster.pid)
      kill -\(name) $id
      kill -\(name) $(ps -o pid= --ppid $id) || true
      """)
  }

  /// An address that leads to a server until it is set to another one, as that of a pooler.
  package func setAddress(to server: Server) async throws {
    let link = server == .primary ? "a" : "b"
    try await folder.execute("ln -sfn \(link) current")
  }

  package var changingURL: String {
    "postgresql://gatehouse@/postgres?host=\(folder.path)/current&target_session_attrs=any"
  }

  /// Otherwise a commit at the old primary would wait for ever for the standby that is lost.
  package func stopWaitingForStandby() async throws {
    try await folder.execute(
      """
      psql -h $PWD/a -U gatehouse postgres -c "ALTER SYSTEM RESET synchronous_standby_names" \\
        -c "SELECT pg_reload_conf()"
      """)
  }

  package func endConnections() async throws {
    try await folder.execute(
      """
      psql -h $PWD/a -U gatehouse postgres -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
      """)
  }

  package func promoteStandby() async throws {
    try await folder.execute("pg_ctl -D two -w promote")
  }

  package func restartPrimary() async throws {
    try await folder.execute(
      """
      # Whoever should have told the system that the process ended is gone, too.
      rm -f one/postmaster.pid a/.s.PGSQL.5432.lock
      until pg_ctl -D one -l log -w -o "-k $PWD/a -c listen_addresses= -c fsync=off" start
      do sleep 0.2; done
      """)
  }

  /// Ends the servers and removes the folder.
  package func end() { folder.end() }
}
