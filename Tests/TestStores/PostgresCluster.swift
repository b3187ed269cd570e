import Foundation
import GatehousePostgres
import TestPrograms

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
    guard folder.hasWritten("ready", within: 60) else {
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

/// A temporary folder in which shell scripts run PostgreSQL's programs, as a user who isn't root: they refuse
/// to run as root.
package final class PostgresFolder: Sendable {
  package let path: String
  private let programs: String

  package init() throws {
    guard let programs = PostgresCluster.programs else {
      throw ClusterFailure("PostgreSQL isn't installed. On Debian: apt-get install postgresql")
    }
    self.programs = programs
    path = "/tmp/gatehouse-postgres-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    if isRoot {
      try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: path)
    }
  }

  private var isRoot: Bool { geteuid() == 0 }

  /// What the programs said.
  package var log: String {
    ["errors", "log"].compactMap { try? String(contentsOfFile: "\(path)/\($0)", encoding: .utf8) }
      .joined(separator: "\n")
  }

  /// Starts a script beside the tests. Its `wait_for_owner` returns when this process has ended; the folder
  /// is removed at the script's end.
  package func run(_ script: String) throws {
    for file in ["input", "output", "errors"] {
      try Data().write(to: URL(fileURLWithPath: "\(path)/\(file)"))
    }
    let shell = isRoot ? ["runuser", "-u", "postgres", "--", "sh", "-c"] : ["sh", "-c"]
    let prologue = """
      set -e
      cd "$1"
      PATH="$2:$PATH"
      owner=$3
      is_running() { [ -d "/proc/$owner" ] || kill -0 "$owner" 2>/dev/null; }
      wait_for_owner() { while is_running; do sleep 1; done; }
      """
    let epilogue = """
      cd /
      rm -rf "$1"
      """
    let inherited = ProcessInfo.processInfo.environment
    _ = try Spawn(
      executable: shell[0],
      arguments: shell.dropFirst() + [
        [prologue, script, epilogue].joined(separator: "\n"), "cluster", path, programs,
        "\(getpid())",
      ],
      environment: ["PATH", "HOME"].compactMap { name in inherited[name].map { "\(name)=\($0)" } },
      folder: "/", input: "\(path)/input", output: "\(path)/output", errors: "\(path)/errors"
    ).start()
  }

  /// Waits until a script has created the file.
  package func hasWritten(_ file: String, within seconds: Double) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !FileManager.default.fileExists(atPath: "\(path)/\(file)") {
      if ContinuousClock.now > end { return false }
      usleep(20_000)
    }
    return true
  }
}

package struct ClusterFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
