import Foundation
import TestPrograms

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

  /// Starts a script beside the tests. Its `wait_for_owner` returns when this process has ended or ``end()``
  /// was called; the folder is removed at the script's end.
  package func run(_ script: String) throws {
    _ = try start(
      script,
      epilogue: """
        cd /
        rm -rf "$1"
        """)
  }

  /// Runs another script in the folder, and waits for its end.
  package func execute(_ script: String) async throws {
    let id = try start(script, epilogue: "")
    var status: Int32 = 0
    let end = ContinuousClock.now + Self.patience
    while unsafe waitpid(id, &status, WNOHANG) != id {
      guard ContinuousClock.now < end else { throw ClusterFailure("no end: \(script)\n\(log)") }
      try await Task.sleep(for: .milliseconds(20))
    }
    guard status == 0 else { throw ClusterFailure("\(script)\n\(log)") }
  }

  /// Ends what ``run(_:)`` started.
  package func end() {
    _ = try? Data().write(to: URL(fileURLWithPath: "\(path)/end"))
  }

  private func start(_ script: String, epilogue: String) throws -> pid_t {
    for file in ["input", "output", "errors"] {
      let name = "\(path)/\(file)"
      if !FileManager.default.fileExists(atPath: name) {
        try Data().write(to: URL(fileURLWithPath: name))
      }
    }
    let shell = isRoot ? ["runuser", "-u", "postgres", "--", "sh", "-c"] : ["sh", "-c"]
    let prologue = """
      set -e
      cd "$1"
      PATH="$2:$PATH"
      owner=$3
      is_running() { [ ! -e end ] && is_alive; }
      is_alive() { [ -d "/proc/$owner" ] || kill -0 "$owner" 2>/dev/null; }
      wait_for_owner() { while is_running; do sleep 0.5; done; }
      """
    let inherited = ProcessInfo.processInfo.environment
    return try Spawn(
      executable: shell[0],
      arguments: shell.dropFirst() + [
        [prologue, script, epilogue].joined(separator: "\n"), "cluster", path, programs,
        "\(getpid())",
      ],
      environment: ["PATH", "HOME"].compactMap { name in inherited[name].map { "\(name)=\($0)" } },
      folder: "/", input: "\(path)/input", output: "\(path)/output", errors: "\(path)/errors"
    ).start()
  }

  /// Only a failing test waits this long: a test shares the processors with all others.
  private static let patience = Duration.seconds(300)

  /// Waits until a script has created the file, for five minutes at most.
  package func hasWritten(_ file: String) -> Bool {
    let end = ContinuousClock.now + Self.patience
    while !FileManager.default.fileExists(atPath: "\(path)/\(file)") {
      if ContinuousClock.now > end { return false }
      usleep(20_000)
    }
    return true
  }
}
