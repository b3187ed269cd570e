import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Tells a supervisor that the server is ready (sd_notify(3)): a datagram to the socket that
/// systemd names in `NOTIFY_SOCKET`. Without that variable nothing happens. A failure is ignored.
package struct Supervisor: Sendable {
  private let socketPath: String?

  /// - Parameter environment: May contain `NOTIFY_SOCKET`: a path, or `@` and an abstract name.
  package init(environment: [String: String]) { socketPath = environment["NOTIFY_SOCKET"] }

  /// Call this when the server handles requests.
  @discardableResult
  package func ready() -> Bool { send("READY=1") }

  private func send(_ message: String) -> Bool {
    guard let socketPath, var address = Self.address(of: socketPath) else { return false }
    #if canImport(Darwin)
      let kind = SOCK_DGRAM
    #else
      let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let length = MemoryLayout<sa_family_t>.size + socketPath.utf8.count
    let bytes = Array(message.utf8)
    let sent = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe sendto(descriptor, bytes, bytes.count, 0, address, socklen_t(length))
      }
    }
    return sent == bytes.count
  }

  private static func address(of path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, bytes.count < capacity else { return nil }
    // An abstract name begins with a zero byte (unix(7)).
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return address
  }
}
