package import GatehouseModel
import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds the addresses of a host.
package protocol HostResolver: Sendable {
  /// - Returns: Every address, the preferred one first.
  /// - Throws: ``OutboundError/unresolvable(host:)``, ``OutboundError/timedOut(host:)`` or
  ///   ``OutboundError/busy``.
  func addresses(of host: String, timeout: Duration) async throws(OutboundError) -> [IPAddress]

  /// Releases the resolver's resources. Later look-ups find nothing.
  func shutdown() async
}

/// The system's resolver (`getaddrinfo`), on its own threads because it blocks.
///
/// The system call can't be cancelled: after the time limit the caller continues, and the thread
/// returns when the system gives up. Names that don't resolve can therefore occupy these threads,
/// but no others.
package final class SystemResolver: HostResolver {
  private static let threads = 4
  /// The maximum of look-ups that run or wait for a thread.
  private static let maximumPending = 64

  private let pool: NIOThreadPool
  private let pending = Mutex(0)

  package init() {
    pool = NIOThreadPool(numberOfThreads: Self.threads)
    pool.start()
  }

  package func shutdown() async {
    // The only error is that the pool is shut down already.
    try? await pool.shutdownGracefully()
  }

  package func addresses(
    of host: String, timeout: Duration
  ) async throws(OutboundError) -> [IPAddress] {
    guard admit() else { throw .busy }
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let promise = loop.makePromise(of: [IPAddress]?.self)
    let deadline = loop.scheduleTask(in: TimeAmount(timeout)) { promise.succeed(nil) }
    pool.submit { [self] state in
      let found = state == .active ? Self.lookUp(host) : []
      leave()
      loop.execute {
        deadline.cancel()
        promise.succeed(found)
      }
    }
    guard let found = try? await promise.futureResult.get() else { throw .timedOut(host: host) }
    guard !found.isEmpty else { throw .unresolvable(host: host) }
    return found
  }

  private func admit() -> Bool {
    pending.withLock { pending in
      guard pending < Self.maximumPending else { return false }
      pending += 1
      return true
    }
  }

  private func leave() { pending.withLock { $0 -= 1 } }

  /// Every address, in the order of RFC 6724; none if the name is unknown.
  private static func lookUp(_ host: String) -> [IPAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }

    var addresses: [IPAddress] = []
    var entry = unsafe list
    while let current = unsafe entry {
      if let address = unsafe address(current.pointee), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe entry = current.pointee.ai_next
    }
    return addresses
  }

  private static func address(_ entry: addrinfo) -> IPAddress? {
    guard let pointer = unsafe entry.ai_addr else { return nil }
    let raw = UnsafeRawPointer(pointer)
    // `sin_addr` and `sin6_addr` (RFC 3493 §3.3, POSIX <netinet/in.h>), which have these offsets on
    // Linux and on Apple's systems. They can't be used by name here: the names belong to the module
    // that first includes the header.
    if unsafe entry.ai_family == AF_INET, unsafe entry.ai_addrlen >= 8 {
      return .v4(UInt32(bigEndian: unsafe raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }
    if unsafe entry.ai_family == AF_INET6, unsafe entry.ai_addrlen >= 24 {
      return IPAddress(
        v6: unsafe Array(UnsafeRawBufferPointer(start: raw + 8, count: 16)))
    }
    return nil
  }
}
