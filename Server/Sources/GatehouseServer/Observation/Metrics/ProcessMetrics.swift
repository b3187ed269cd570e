import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What Prometheus' own libraries show of every process. Only on Linux are all of them known.
struct ProcessMetrics: Sendable {
  private let startedAt = Date().timeIntervalSince1970

  /// The present values.
  var values: [(metric: Metric, value: Double)] {
    var values: [(Metric, Double)] = [(.processStart, startedAt)]
    // POSIX: a million in a second.
    values.append((.processSeconds, Double(clock()) / 1_000_000))
    if let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) {
      let counts = pages.split(separator: " ").prefix(2).compactMap { Double($0) }
      if counts.count == 2 {
        let pageBytes = Double(sysconf(Int32(_SC_PAGESIZE)))
        values += [
          (.processVirtualBytes, counts[0] * pageBytes), (.processBytes, counts[1] * pageBytes),
        ]
      }
    }
    if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      values.append((.processOpenFiles, Double(files.count)))
    }
    if let limit = try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
      .split(separator: "\n").first(where: { $0.hasPrefix("Max open files") })?
      .split(separator: " ").dropFirst(3).first.flatMap({ Double($0) })
    {
      values.append((.processMaximumFiles, limit))
    }
    return values
  }
}
