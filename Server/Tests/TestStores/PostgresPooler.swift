import Foundation

/// PgBouncer in transaction mode, in front of a database of the shared cluster.
package final class PostgresPooler: Sendable {
  package static let isInstalled = program != nil

  private static let program = ["/usr/sbin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let folder: PostgresFolder

  private init(_ folder: PostgresFolder) { self.folder = folder }

  package var url: String { "postgresql://gatehouse@/pooled?host=\(folder.path)&port=6432" }

  /// - Parameter connections: To the server, for all clients together.
  package static func start(connections: Int) async throws -> PostgresPooler {
    let cluster = try PostgresCluster.shared.get()
    let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "_")
    _ = try cluster.url(ofDatabase: name)
    let folder = try PostgresFolder()
    try folder.run(
      """
      cat > pgbouncer.ini <<END
      [databases]
      pooled = host=\(cluster.socketFolder) dbname=\(name) user=gatehouse
      [pgbouncer]
      listen_addr =
      unix_socket_dir = $PWD
      listen_port = 6432
      auth_type = any
      pool_mode = transaction
      default_pool_size = \(connections)
      max_client_conn = 200
      logfile = $PWD/log
      pidfile = $PWD/pid
      END
      \(program ?? "pgbouncer") -d pgbouncer.ini
      while [ ! -S .s.PGSQL.6432 ]; do sleep 0.05; done
      touch ready
      wait_for_owner
      kill $(cat pid)
      """)
    guard folder.hasWritten("ready") else {
      throw ClusterFailure("PgBouncer didn't start: \(folder.log)")
    }
    return PostgresPooler(folder)
  }

  package func end() { folder.end() }
}
