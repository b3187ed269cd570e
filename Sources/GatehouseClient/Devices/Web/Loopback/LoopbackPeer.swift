#if os(Linux) || os(macOS)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// Which user owns the program at the other end of a connection within this machine.
  ///
  /// Every user of the machine can connect to a port of 127.0.0.1. Linux reports which user has a
  /// connection (proc(5), `/proc/net/tcp`).
  package enum LoopbackPeer: Equatable {
    /// The current user.
    case own
    /// Another user, or unknown because the socket is closed already.
    case other
    /// The system doesn't say.
    case unknown

    init(peerPort: UInt16, port: UInt16) {
      // A browser's socket may be IPv4 or IPv6.
      let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap(Self.contents)
      self.init(tables: tables, peerPort: peerPort, port: port, user: getuid())
    }

    /// Reads the file to its end: the system delivers such a file in pages, and
    /// `String(contentsOfFile:)` stops after the first one.
    private static func contents(ofFile path: String) -> String? {
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while bytes.count < longestTable {
        let count = unsafe part.withUnsafeMutableBytes {
          unsafe read(file, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { return nil }
        guard count > 0 else { break }
        bytes += part[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Enough for a hundred thousand connections, in bytes.
    private static let longestTable = 1 << 24

    /// - Parameter tables: The system's lists of connections; empty if it has none.
    package init(tables: [String], peerPort: UInt16, port: UInt16, user: UInt32) {
      guard !tables.isEmpty else {
        self = .unknown
        return
      }
      let (local, remote) = (Self.suffix(peerPort), Self.suffix(port))
      for line in tables.joined(separator: "\n").split(separator: "\n") {
        let fields = line.split(separator: " ")
        // sl, local address, remote address, state, queues, timer, retransmits, uid.
        guard fields.count > 7, Self.isLoopback(fields[1]), fields[1].hasSuffix(local),
          Self.isLoopback(fields[2]), fields[2].hasSuffix(remote),
          Self.liveStates.contains(fields[3])
        else { continue }
        self = UInt32(fields[7]) == user ? .own : .other
        return
      }
      self = .other
    }

    /// ESTABLISHED, FIN_WAIT1 and FIN_WAIT2 of a socket that a program still holds, CLOSE_WAIT.
    private static let liveStates: Set<Substring> = ["01", "04", "05", "08"]

    private static func isLoopback(_ address: Substring) -> Bool {
      let host = address.prefix { $0 != ":" }
      return host == "0100007F" || host == "0000000000000000FFFF00000100007F"
    }

    private static func suffix(_ port: UInt16) -> String {
      let text = String(port, radix: 16, uppercase: true)
      return ":" + String(repeating: "0", count: 4 - text.count) + text
    }
  }
#endif
