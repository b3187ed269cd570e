import Foundation
package import GatehouseFederation

/// Whether a port is free, or who has it.
package enum PortCheck {
  /// - Parameters:
  ///   - flag: What names another port, such as `--port`.
  ///   - servers: Process ids of servers that run on the data folder: one of them may have it.
  package static func finding(port: Int, flag: String, servers: [Int32]) -> Finding {
    let check = "port \(port)"
    if port == 0 { return Finding(check, .ok, "a free one is taken") }
    guard let owner = PortOwner.of(port) else { return Finding(check, .ok, "free") }
    if let process = owner.process, servers.contains(process) {
      return Finding(check, .ok, "the server's that runs (process \(process))")
    }
    return Finding(
      check, .failed(remedy: "Stop it, or name another port with \(flag)."),
      "taken by \(owner.description)")
  }
}

/// Who listens on a TCP port, by what Linux tells under `/proc` (proc(5)).
struct PortOwner {
  /// Nil where another user's process has it and this one may not look.
  let process: Int32?
  let name: String?

  var description: String {
    process.map { "\(name ?? "?") (process \($0))" } ?? "another user's process"
  }

  /// Nil if nobody listens there, or the system doesn't tell.
  static func of(_ port: Int) -> PortOwner? {
    let sockets = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap(read).flatMap { text in
      inodes(listeningOn: port, in: text)
    }
    guard !sockets.isEmpty else { return nil }
    let links = Set(sockets.map { "socket:[\($0)]" })
    let files = FileManager.default
    for process in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let id = Int32(process) else { continue }
      let folder = "/proc/\(id)/fd"
      for descriptor in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
        let link = try? files.destinationOfSymbolicLink(atPath: folder + "/" + descriptor)
        if let link, links.contains(link) {
          let name = read("/proc/\(id)/comm")?.trimmingCharacters(in: .whitespacesAndNewlines)
          return PortOwner(process: id, name: name)
        }
      }
    }
    return PortOwner(process: nil, name: nil)
  }

  /// Columns: `sl local_address rem_address st … inode`, numbers in hexadecimal, state 0A listens.
  static func inodes(listeningOn port: Int, in table: String) -> [String] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count > 9, columns[3] == "0A",
        let local = columns[1].split(separator: ":").last, Int(local, radix: 16) == port
      else { return nil }
      return String(columns[9])
    }
  }

  /// Files there say that they are empty, and are read to their end all the same.
  private static func read(_ path: String) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
