import Foundation
import GatehouseServer

/// A PostgreSQL server of the test process's own: a cluster in a temporary folder, which ends with the
/// process.
package final class PostgresCluster: Sendable {
  package static let shared = Result { try PostgresCluster() }

  /// Where Debian, Homebrew and others put its programs.
  static let programs: String? = {
    let folders =
      ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"].flatMap { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().reversed()
          .map { "\(folder)/\($0)/bin" }
      }
    return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  private let folder: PostgresFolder

  private init() throws {
    folder = try PostgresFolder()
    try folder.run(Self.script)
    guard folder.hasWritten("ready") else {
      throw ClusterFailure("PostgreSQL didn't start: \(folder.log)")
    }
  }

  /// Nothing here must survive a power cut.
  private static let script = """
    initdb -D data -U gatehouse -A trust -E UTF8 --locale=C --no-sync
    pg_ctl -D data -l log -w -o "-k $PWD -c listen_addresses= -c fsync=off -c max_connections=500" start
    touch ready
    wait_for_owner
    pg_ctl -D data -m immediate stop
    """

  /// A schema of its own, which stays until the end.
  package func url(ofSchema schema: String) throws -> String {
    _ = try rows("CREATE SCHEMA IF NOT EXISTS \(schema)")
    return "\(url)&options=-csearch_path%3D\(schema)"
  }

  package var socketFolder: String { folder.path }

  /// A database of its own, which stays until the end.
  package func url(ofDatabase name: String) throws -> String {
    _ = try PostgresStore.script("CREATE DATABASE \(name)", at: address)
    return "postgresql://gatehouse@/\(name)?host=\(folder.path)"
  }

  /// Runs a statement, and returns its rows.
  @discardableResult
  package func rows(_ sql: String) throws -> [[String]] {
    try PostgresStore.rows(sql, at: address)
  }

  private var url: String { "postgresql://gatehouse@/postgres?host=\(folder.path)" }

  private var address: PostgresAddress {
    get throws { try PostgresAddress(url) }
  }
}

package struct ClusterFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
