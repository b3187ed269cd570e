import Foundation

/// A PostgreSQL server of the test process's own: a cluster in a temporary folder that listens on a socket
/// there, and ends with the process.
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

  private let folder: URL
  private let programs: String

  private init() throws {
    guard let programs = Self.programs else {
      throw ClusterFailure("PostgreSQL isn't installed. On Debian: apt-get install postgresql")
    }
    self.programs = programs
    folder = URL(fileURLWithPath: "/tmp/gatehouse-postgres-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The server refuses to run as root.
    let isRoot = geteuid() == 0
    if isRoot {
      try FileManager.default.setAttributes(
        [.ownerAccountName: "postgres"], ofItemAtPath: folder.path)
    }
    let shell = isRoot ? ["runuser", "-u", "postgres", "--", "sh", "-c"] : ["sh", "-c"]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = shell + [Self.script, "cluster", folder.path, programs]
    // At the end of this process the shell reads an end of its input.
    process.standardInput = Pipe()
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n"
    else { throw ClusterFailure("PostgreSQL didn't start: see \(folder.path)/log") }
  }

  private static let script = """
    set -e
    cd "$1"
    PATH="$2:$PATH"
    initdb -D data -U gatehouse -A trust -E UTF8 --locale=C --no-sync >log 2>&1
    pg_ctl -D data -l log -w -o "-k $1 -c listen_addresses= -c fsync=off -c max_connections=500" \\
      start >>log 2>&1
    echo ready
    cat >/dev/null
    pg_ctl -D data -m immediate stop >>log 2>&1
    cd /
    rm -rf "$1"
    """

  /// A schema of its own, which stays until the end.
  package func url(ofSchema schema: String) throws -> String {
    _ = try run("CREATE SCHEMA IF NOT EXISTS \(schema)")
    return "postgresql://gatehouse@/postgres?host=\(folder.path)&options=-csearch_path%3D\(schema)"
  }

  /// Runs a statement with psql.
  ///
  /// - Returns: The rows, a line each, with `|` between values.
  package func run(_ sql: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(programs)/psql")
    process.arguments = [
      "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--host", folder.path, "--username",
      "gatehouse", "--dbname", "postgres", "--command", sql,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ClusterFailure("psql failed: \(sql)") }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

package struct ClusterFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
