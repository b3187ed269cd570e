#if os(Linux) || os(macOS)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// A TCP socket on 127.0.0.1, closed with the last reference. Only
  /// ``ready(_:withinMilliseconds:)`` waits.
  final class LoopbackSocket: Sendable, Hashable {
    private let number: Int32
    /// The port of a listening socket; of a connection, the port at its other end.
    let port: UInt16

    private static let partBytes = 4096

    /// Listens on a port that the system picks.
    init() throws(DeviceFault) {
      number = try Self.make()
      do {
        port = try Self.listen(number)
      } catch {
        close(number)
        throw error
      }
    }

    private init(accepted number: Int32) {
      self.number = number
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe getpeername(number, address, &size) == 0
        }
      }
      port = isKnown ? UInt16(bigEndian: address.sin_port) : 0
    }

    deinit { close(number) }

    /// Nil if the other side has already disconnected.
    func accept() -> LoopbackSocket? {
      #if canImport(Glibc)
        let accepted = Glibc.accept(number, nil, nil)
      #elseif canImport(Musl)
        let accepted = Musl.accept(number, nil, nil)
      #else
        let accepted = Darwin.accept(number, nil, nil)
      #endif
      guard accepted >= 0 else { return nil }
      Self.prepare(accepted)
      return LoopbackSocket(accepted: accepted)
    }

    enum Part {
      case bytes([UInt8])
      case nothingYet
      /// The other side has closed, or the connection broke.
      case end
    }

    func receive() -> Part {
      var part = [UInt8](repeating: 0, count: Self.partBytes)
      let count = unsafe part.withUnsafeMutableBytes {
        unsafe recv(number, $0.baseAddress, $0.count, 0)
      }
      if count > 0 { return .bytes(Array(part[..<count])) }
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothingYet : .end
    }

    /// Sends as much as the system accepts at once, which is enough for a page. Then closes the
    /// sending side.
    func send(_ bytes: [UInt8]) {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      _ = unsafe bytes.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          unsafe Glibc.send(number, bytes.baseAddress, bytes.count, flags)
        #elseif canImport(Musl)
          unsafe Musl.send(number, bytes.baseAddress, bytes.count, flags)
        #else
          unsafe Darwin.send(number, bytes.baseAddress, bytes.count, flags)
        #endif
      }
      shutdown(number, Int32(SHUT_WR))
    }

    /// The sockets that have a connection to accept or bytes to receive.
    static func ready(
      _ sockets: [LoopbackSocket], withinMilliseconds milliseconds: Int32
    ) -> [LoopbackSocket] {
      var waited = sockets.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&waited, nfds_t(waited.count), milliseconds) > 0 else { return [] }
      return zip(sockets, waited).filter { $0.1.revents != 0 }.map(\.0)
    }

    static func == (left: LoopbackSocket, right: LoopbackSocket) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    // MARK: Creating

    private static func make() throws(DeviceFault) -> Int32 {
      #if canImport(Darwin)
        let number = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      guard number >= 0 else { throw unavailable("socket") }
      prepare(number)
      return number
    }

    /// Makes the socket non-blocking, and keeps it out of programs that are started.
    private static func prepare(_ number: Int32) {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
      #if canImport(Darwin)
        var on: Int32 = 1
        unsafe setsockopt(
          number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
      #endif
    }

    private static func listen(_ number: Int32) throws(DeviceFault) -> UInt16 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = 0
      address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          #if canImport(Glibc)
            let isListening =
              unsafe bind(number, address, size) == 0 && Glibc.listen(number, 16) == 0
          #elseif canImport(Musl)
            let isListening =
              unsafe bind(number, address, size) == 0 && Musl.listen(number, 16) == 0
          #else
            let isListening =
              unsafe bind(number, address, size) == 0 && Darwin.listen(number, 16) == 0
          #endif
          return unsafe isListening && getsockname(number, address, &size) == 0
        }
      }
      guard isBound else { throw unavailable("listen") }
      return UInt16(bigEndian: address.sin_port)
    }

    private static func unavailable(_ call: String) -> DeviceFault {
      .unavailable(detail: "Can't listen on a port of this machine: \(call) \(errno)")
    }
  }
#endif
