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
      pg_ctl -D one -m immediate stop || true
      pg_ctl -D two -m immediate stop || true
      """)
    guard folder.hasWritten("ready", within: 120) else {
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
  package func killPrimary() async throws {
    try await folder.execute(
      """
      kill -9 $(head -1 one/postmaster.pid)
      while psql -h $PWD/a -U gatehouse postgres -c "SELECT 1" >/dev/null 2>&1; do sleep 0.05; done
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
