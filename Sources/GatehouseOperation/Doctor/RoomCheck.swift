package import GatehouseFederation

/// Whether there is room: on the disk, in the log, and for connections.
package enum RoomCheck {
  private static let mebibyte: Int64 = 1 << 20

  /// - Parameters:
  ///   - freeBytes: On the disk of the data folder; nil if the system doesn't tell.
  ///   - databaseBytes: How big the database is: a backup on the same disk takes as much.
  package static func disk(freeBytes: Int64?, databaseBytes: Int64) -> Finding {
    guard let freeBytes else {
      return Finding("disk", .warning(remedy: "Look with: df -h"), "the free space isn't known")
    }
    let detail = "\(freeBytes / mebibyte) MiB free, the database has \(databaseBytes / mebibyte)"
    if freeBytes < 100 * mebibyte {
      return Finding(
        "disk", .failed(remedy: "Make room: on a full disk every change is refused."), detail)
    }
    if freeBytes < max(1024 * mebibyte, 2 * databaseBytes) {
      return Finding(
        "disk", .warning(remedy: "Make room, or put the data on a bigger disk."), detail)
    }
    return Finding("disk", .ok, detail)
  }

  /// The write-ahead log is copied into the database every 8 MiB or so.
  package static func log(bytes: Int64) -> Finding {
    let detail = "\(bytes / mebibyte) MiB"
    return bytes < 256 * mebibyte
      ? Finding("write-ahead log", .ok, detail)
      : Finding(
        "write-ahead log",
        .warning(
          remedy:
            "Something reads for very long (a backup, sqlite3?): end it. It shrinks by itself "
            + "then."), detail)
  }

  /// Each connection of a client takes a descriptor.
  package static func descriptors(limit: UInt64) -> Finding {
    let detail = "\(limit) at once"
    let remedy = "Raise it: LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536."
    if limit < 256 { return Finding("open files", .failed(remedy: remedy), detail) }
    return limit < 4096
      ? Finding("open files", .warning(remedy: remedy), detail) : Finding("open files", .ok, detail)
  }
}
