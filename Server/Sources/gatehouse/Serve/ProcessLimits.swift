import Foundation
import NIOCore

/// What the system allows this process.
enum ProcessLimits {
  /// Kept for files and sockets other than clients' connections: the database, calls to providers,
  /// the listeners.
  private static let descriptorsReserved = 256

  /// Raises the limit of open files, which is often 1024, as far as needed and as the system allows.
  ///
  /// - Returns: The number of possible connections, at most `wanted`.
  static func admit(connections wanted: Int) -> Int {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return wanted }
    let needed = rlim_t(wanted + descriptorsReserved)
    if limit.rlim_cur < needed {
      limit.rlim_cur = min(needed, limit.rlim_max)
      guard unsafe setrlimit(resource, &limit) == 0 else { return wanted }
    }
    return min(wanted, max(1, Int(clamping: limit.rlim_cur) - descriptorsReserved))
  }

  /// Gives NIO as many event loops as this process may use cores. Call it once, before NIO is used.
  ///
  /// NIO counts the cores of the machine or of the control group, and not those that `taskset` or
  /// systemd's `CPUAffinity` leave. More loops than cores only add switches between threads.
  static func useAllowedCores() {
    NIOSingletons.groupLoopCountSuggestion = max(1, min(System.coreCount, allowedCores ?? .max))
  }

  /// Nil if the system doesn't say, as on other systems than Linux.
  private static var allowedCores: Int? {
    // proc(5): `Cpus_allowed:	0000000f`, a bit for each core.
    let name = "Cpus_allowed:"
    return (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix(name) }?
      .dropFirst(name.count).compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
  }

  /// Ignores `SIGXFSZ`: a write to a file that may not grow further (`ulimit -f`, some systems'
  /// quotas) then fails, like on a full disk. By default the signal would end the process.
  static func surviveFullFiles() { _ = signal(SIGXFSZ, SIG_IGN) }

  /// Ignores `SIGHUP`, with which operators' tools ask a service to read its files again. By default the
  /// signal would end the process. ``CertificateRenewal`` can still receive the signal.
  static func surviveHangUps() { _ = signal(SIGHUP, SIG_IGN) }
}
