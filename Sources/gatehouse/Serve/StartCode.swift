import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The part of the program and its libraries that only the start executes.
enum StartCode {
  /// Takes the code out of the resident memory: it is more than half of it after a start. What is
  /// executed from now on comes back page by page, without reading the disk: the system keeps the
  /// files' pages as long as it has no better use for them.
  ///
  /// Only code is touched, which can't be written, so nothing is lost. Elsewhere than on Linux, does
  /// nothing.
  static func release() {
    #if canImport(Glibc)
      guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return }
      // proc(5): `55d0a4a00000-55d0a7b00000 r-xp 00a5b000 fe:00 1234   /usr/local/bin/gatehouse`
      for line in maps.split(separator: "\n") where line.contains(" /") {
        let fields = line.split(separator: " ", maxSplits: 2)
        guard fields.count == 3, fields[1] == "r-xp" else { continue }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, let start = unsafe UnsafeMutableRawPointer(bitPattern: bounds[0])
        else { continue }
        _ = unsafe madvise(start, Int(clamping: bounds[1] - bounds[0]), MADV_DONTNEED)
      }
    #endif
  }
}
