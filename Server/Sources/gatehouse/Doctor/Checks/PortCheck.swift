import Foundation
import GatehouseServer

/// Checks whether a port is free, or which process uses it.
enum PortCheck {
  /// - Parameters:
  ///   - flag: The flag that sets another port, such as `--port`.
  ///   - servers: Process ids of servers that run on the data folder. One of them may use the port.
  static func finding(port: Int, flag: String, servers: [Int32]) -> Finding {
    let check = "port \(port)"
    if port == 0 { return Finding(check, .ok, "any free port is used") }
    guard let owner = PortOwner.of(port) else { return Finding(check, .ok, "free") }
    if let process = owner.process, servers.contains(process) {
      return Finding(check, .ok, "used by the running server (process \(process))")
    }
    return Finding(
      check, .failed(remedy: "Stop it, or name another port with \(flag)."),
      "used by \(owner.description)")
  }
}

/// The process that listens on a TCP port, as Linux shows it under `/proc` (proc(5)).
struct PortOwner {
  /// Nil if another user's process has the port, and this process may not read that one's files.
  let process: Int32?
  let name: String?

  var description: String {
    process.map { "\(name ?? "?") (process \($0))" } ?? "another user's process"
  }

  /// Nil if no process listens there, or if the system doesn't show it.
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

  /// Columns: `sl local_address rem_address st … inode`, numbers in hexadecimal. State 0A means
  /// listening.
  static func inodes(listeningOn port: Int, in table: String) -> [String] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count > 9, columns[3] == "0A",
        let local = columns[1].split(separator: ":").last, Int(local, radix: 16) == port
      else { return nil }
      return String(columns[9])
    }
  }

  /// Files under `/proc` have a size of 0 but can be read.
  private static func read(_ path: String) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
