package import GatehouseProtocol
import NIOCore
import NIOPosix
import Synchronization

import class Foundation.Thread

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds the addresses of a host.
package protocol HostResolver: Sendable {
  /// - Parameter project: The project whose look-up this is; nil for one of the server itself.
  /// - Returns: Every address, the preferred one first.
  /// - Throws: ``OutboundError/unresolvable(host:)``, ``OutboundError/timedOut(host:)`` or
  ///   ``OutboundError/busy``.
  func addresses(
    of host: String, for project: ProjectID?, timeout: Duration
  ) async throws(OutboundError) -> [IPAddress]
}

/// The system's resolver (`getaddrinfo`), with a thread for each look-up because it blocks.
///
/// The system call can't be cancelled: after the time limit the callers continue, and the thread ends
/// when the system gives up, perhaps a minute later. So that names whose servers don't answer take no
/// threads from others:
/// - callers that ask for the same host at the same time share one look-up;
/// - a host whose look-up timed out isn't looked up again for five seconds after that look-up ended;
/// - a project has at most the share of `FairShares` of the look-ups.
package final class SystemResolver: HostResolver {
  /// The maximum of look-ups at the same time.
  private static let lookUps = 64
  /// The maximum of remembered hosts.
  private static let silentHosts = 1024

  private struct LookUp {
    let number: UInt64
    let project: ProjectID?
    let promise: EventLoopPromise<[IPAddress]?>
    /// Whether its callers waited in vain.
    var isLate = false
  }

  private struct Table {
    var shares = FairShares<ProjectID?>(places: SystemResolver.lookUps)
    var running: [String: LookUp] = [:]
    /// Hosts whose look-up timed out and then found nothing, and until when they are not looked up.
    var silent: [String: NIODeadline] = [:]
    var count: UInt64 = 0
  }

  private enum Turn {
    case waits(EventLoopFuture<[IPAddress]?>)
    case begins(LookUp)
    case silent, busy
  }

  private let table = Mutex(Table())
  private let silence: Duration
  private let lookUp: @Sendable (String) -> [IPAddress]

  package convenience init() { self.init { Self.lookUp($0) } }

  /// - Parameters:
  ///   - silence: How long a host isn't looked up again after a look-up that was late and found nothing.
  ///   - lookUp: Finds a host's addresses. It may block for any time.
  package init(
    silence: Duration = .seconds(5), lookUp: @escaping @Sendable (String) -> [IPAddress]
  ) {
    self.silence = silence
    self.lookUp = lookUp
  }

  /// A caller that joins another one's look-up waits at most as long as that one.
  package func addresses(
    of host: String, for project: ProjectID?, timeout: Duration
  ) async throws(OutboundError) -> [IPAddress] {
    let result: EventLoopFuture<[IPAddress]?>
    switch turn(host, project) {
    case .busy: throw .busy
    case .silent: throw .timedOut(host: host)
    case .waits(let future): result = future
    case .begins(let begun):
      result = begun.promise.futureResult
      begin(begun, of: host, timeout: timeout)
    }
    guard let found = try? await result.get() else { throw .timedOut(host: host) }
    guard !found.isEmpty else { throw .unresolvable(host: host) }
    return found
  }

  private func turn(_ host: String, _ project: ProjectID?) -> Turn {
    table.withLock { table in
      if let running = table.running[host] {
        return running.isLate ? .silent : .waits(running.promise.futureResult)
      }
      if let end = table.silent[host] {
        if NIODeadline.now() < end { return .silent }
        table.silent[host] = nil
      }
      guard table.shares.take(for: project) else { return .busy }
      table.count &+= 1
      let begun = LookUp(
        number: table.count, project: project,
        promise: MultiThreadedEventLoopGroup.singleton.next().makePromise())
      table.running[host] = begun
      return .begins(begun)
    }
  }

  private func begin(_ begun: LookUp, of host: String, timeout: Duration) {
    let loop = begun.promise.futureResult.eventLoop
    let deadline = loop.scheduleTask(in: TimeAmount(timeout)) { [self] in
      table.withLock { table in
        guard table.running[host]?.number == begun.number else { return }
        table.running[host]?.isLate = true
      }
      begun.promise.succeed(nil)
    }
    Thread.detachNewThread { [self] in
      let found = lookUp(host)
      end(begun, of: host, found)
      loop.execute {
        deadline.cancel()
        begun.promise.succeed(found)
      }
    }
  }

  private func end(_ begun: LookUp, of host: String, _ found: [IPAddress]) {
    table.withLock { table in
      let isLate = table.running.removeValue(forKey: host)?.isLate == true
      table.shares.giveBack(of: begun.project)
      guard isLate, found.isEmpty else { return }
      let now = NIODeadline.now()
      if table.silent.count >= Self.silentHosts {
        table.silent = table.silent.filter { now < $0.value }
      }
      if table.silent.count >= Self.silentHosts { table.silent = [:] }
      table.silent[host] = now + TimeAmount(silence)
    }
  }

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
