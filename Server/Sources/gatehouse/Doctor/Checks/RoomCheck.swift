import GatehouseServer

/// Checks the free space on the disk, the size of the log, and the limit on open files.
enum RoomCheck {
  private static let mebibyte: Int64 = 1 << 20

  /// - Parameters:
  ///   - freeBytes: The free space on the disk of the data folder; nil if the system doesn't report
  ///     it.
  ///   - databaseBytes: The size of the database. A backup on the same disk needs as much.
  static func disk(freeBytes: Int64?, databaseBytes: Int64) -> Finding {
    guard let freeBytes else {
      return Finding("disk", .warning(remedy: "Look with: df -h"), "the free space is unknown")
    }
    let detail = "\(freeBytes / mebibyte) MiB free; database: \(databaseBytes / mebibyte) MiB"
    if freeBytes < 100 * mebibyte {
      return Finding(
        "disk", .failed(remedy: "Make room: on a full disk every change fails."), detail)
    }
    if freeBytes < max(1024 * mebibyte, 2 * databaseBytes) {
      return Finding(
        "disk", .warning(remedy: "Make room, or put the data on a bigger disk."), detail)
    }
    return Finding("disk", .ok, detail)
  }

  /// The write-ahead log is copied into the database about every 8 MiB.
  static func log(bytes: Int64) -> Finding {
    let detail = "\(bytes / mebibyte) MiB"
    return bytes < 256 * mebibyte
      ? Finding("write-ahead log", .ok, detail)
      : Finding(
        "write-ahead log",
        .warning(
          remedy:
            "A program has been reading for a long time (a backup, sqlite3?): end it. Then the log "
            + "shrinks by itself."), detail)
  }

  /// Each connection of a client needs a file descriptor.
  static func descriptors(limit: UInt64) -> Finding {
    let detail = "at most \(limit) at once"
    let remedy = "Raise it: LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536."
    if limit < 256 { return Finding("open files", .failed(remedy: remedy), detail) }
    return limit < 4096
      ? Finding("open files", .warning(remedy: remedy), detail) : Finding("open files", .ok, detail)
  }
}
