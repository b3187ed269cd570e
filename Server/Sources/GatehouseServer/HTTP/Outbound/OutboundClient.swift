import AsyncHTTPClient
import GatehouseProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

package import struct Foundation.Date

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The transport that enforces the outbound rule.
///
/// A host is resolved once, all its addresses are checked, and the connection goes to a checked
/// address. TLS (SNI and the certificate) and `Host` use the name. So a name server can't give one
/// address to the check and another to the connection. Redirects are not followed, a proxy in the
/// environment is ignored, and time and size are limited.
///
/// Each call has its own connection, so that no connection outlives the check of its address.
package final class OutboundClient: OutboundTransport {
  package struct Limits: Sendable {
    /// The time limit of the whole call: DNS look-up, connection, TLS, response.
    package var duration: Duration = .seconds(5)
    /// The maximum of bytes in a response's body.
    package var bodyBytes = 256 * 1024
    /// A project may make half of the calls that the others leave free: see ``CallLimit``.
    package var concurrentCalls = 192
    /// How many of these calls are reserved for fetches of keys, so that tokens can be verified
    /// while many codes are exchanged.
    package var callsReservedForKeys = 16
    /// How many addresses of one host are tried, one after the other, until one accepts the
    /// connection.
    package var addresses = 4

    package init() {}
  }

  private let rule: OutboundRule
  private let limits: Limits
  private let authorities: PrivateAuthorities
  private let resolver: any HostResolver
  private let calls: CallLimit
  private let clock: @Sendable () -> Date

  /// - Parameters:
  ///   - authorities: Certificate authorities that are trusted in addition to the machine's.
  ///   - clock: The time with which a rejected certificate's dates are compared.
  package init(
    rule: OutboundRule, limits: Limits = Limits(),
    authorities: PrivateAuthorities = PrivateAuthorities(),
    resolver: any HostResolver = SystemResolver(), clock: @escaping @Sendable () -> Date
  ) {
    self.clock = clock
    self.authorities = authorities
    self.rule = rule
    self.limits = limits
    self.resolver = resolver
    calls = CallLimit(limits.concurrentCalls)
  }

  package func send(
    _ request: OutboundRequest
  ) async throws(OutboundError) -> OutboundResponse {
    let reserved = request.isForKeys ? 0 : limits.callsReservedForKeys
    let host = request.url.host
    guard calls.enter(request.project, host, leaving: reserved) else { throw .busy }
    let connections = HTTPConnections { [calls] in calls.leave(request.project, host) }
    defer { connections.end() }
    do {
      return try await withThrowingTaskGroup(of: OutboundResponse.self) { group in
        let deadline = NIODeadline.now() + TimeAmount(limits.duration)
        group.addTask { try await self.call(request, connections, until: deadline) }
        group.addTask { [limits] in
          try await Task.sleep(for: limits.duration)
          throw OutboundError.timedOut(host: host)
        }
        defer { group.cancelAll() }
        guard let response = try await group.next() else { throw OutboundError.cancelled }
        return response
      }
    } catch let error as OutboundError {
      throw error
    } catch {
      if Task.isCancelled { throw .cancelled }
      throw Self.isTimeout(error) ? .timedOut(host: host) : .broken(host: host)
    }
  }

  /// Whether the HTTP library's timer fired, which may happen before the task group's.
  private static func isTimeout(_ error: any Error) -> Bool {
    guard let error = error as? HTTPClientError else { return false }
    return [.deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout].contains(error)
  }

  private func call(
    _ request: OutboundRequest, _ connections: HTTPConnections, until deadline: NIODeadline
  ) async throws -> OutboundResponse {
    let url = request.url
    let addresses =
      if let literal = IPAddress(url.host) {
        [literal]
      } else {
        // A name server that doesn't answer leaves time for the error, and an answer in the last moment
        // would leave none for the call.
        try await resolver.addresses(
          of: url.host, for: request.project, timeout: limits.duration * 3 / 5)
      }
    try rule.check(addresses, for: url)
    for address in addresses.prefix(limits.addresses) {
      do {
        return try await exchange(request, with: address, connections, until: deadline)
      } catch let error where Self.isConnectionRefusal(error) && !Task.isCancelled {
        // Nothing was sent, so the next address may be tried.
        continue
      } catch let error as any NIOSSLFailure {
        throw await named(error, at: address, of: url, until: deadline)
      }
    }
    throw OutboundError.notConnected(host: url.host)
  }

  private func exchange(
    _ request: OutboundRequest, with address: IPAddress, _ connections: HTTPConnections,
    until deadline: NIODeadline
  ) async throws -> OutboundResponse {
    let client = HTTPClient(
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
      configuration: configuration(host: request.url.host, address: address))
    defer { connections.close(client) }
    return try await answer(request, client, until: deadline)
  }

  private func configuration(host: String, address: IPAddress) -> HTTPClient.Configuration {
    // An address that never responds must leave time for another.
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: TimeAmount(limits.duration * 2 / 5), read: TimeAmount(limits.duration)))
    configuration.trust(authorities)
    configuration.dnsOverride = [host: address.description]
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
  }

  private func answer(
    _ request: OutboundRequest, _ client: HTTPClient, until deadline: NIODeadline
  ) async throws -> OutboundResponse {
    let host = request.url.host
    // The library needs a deadline of its own, the same as the task group's: cancelling the task
    // doesn't interrupt a body that arrives slowly. The call would count until the end of the body.
    let response = try await client.execute(HTTPClientRequest(request), deadline: deadline)
    var body = ByteBuffer()
    if !request.ignoresResponseBody {
      do {
        body = try await response.body.collect(upTo: limits.bodyBytes)
      } catch is NIOTooManyBytesError {
        throw OutboundError.tooLarge(host: host, limitBytes: limits.bodyBytes)
      }
    }
    // The status of a refusal counts, whether or not its reason can be read.
    if body.readableBytes > 0, (200..<300).contains(response.status.code),
      response.headers["content-encoding"].contains(where: { $0.lowercased() != "identity" })
    {
      throw OutboundError.compressed(host: host)
    }
    return OutboundResponse(
      status: Int(response.status.code),
      cacheControl: response.headers.first(name: "cache-control"),
      age: response.headers.first(name: "age").flatMap { Int($0) },
      date: response.headers.first(name: "date"),
      retryAfter: response.headers.first(name: "retry-after").flatMap { Int($0) },
      body: Array(body.readableBytesView))
  }

  /// A failed TLS handshake as an error that operators understand.
  private func named(
    _ error: any NIOSSLFailure, at address: IPAddress, of url: OutboundURL,
    until deadline: NIODeadline
  ) async -> any Error {
    if (error as? NIOSSLExtraError) == .failedToValidateHostname {
      return OutboundError.certificate(host: url.host, .otherName)
    }
    // BoringSSL's names for the reasons; the library gives them in no other form.
    let text = "\(error)"
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      return OutboundError.notTLS(host: url.host)
    }
    guard text.contains("CERTIFICATE_VERIFY_FAILED") else { return error }
    let examination = CertificateExamination(host: url.host, port: url.port, address: address)
    let fault = await examination.fault(until: deadline, now: clock())
    return OutboundError.certificate(host: url.host, fault ?? .unknownAuthority)
  }

  /// How long a connection waits for the host to confirm its end (RFC 8446 §6.1).
  static let closingTime = TimeAmount.seconds(1)

  private static let refusals = [
    ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, ENETDOWN, EAFNOSUPPORT,
  ]

  private static func isConnectionRefusal(_ error: any Error) -> Bool {
    if error is NIOConnectionError { return true }
    if let error = error as? IOError { return refusals.contains(error.errnoCode) }
    return (error as? HTTPClientError) == .connectTimeout
  }
}

/// The connections of one call. Nobody waits until they are closed: over TLS, a host that doesn't respond
/// can delay that. But the call occupies its place until then, so that such hosts can't make the server
/// open ever more connections.
private final class HTTPConnections: Sendable {
  private let leave: @Sendable () -> Void
  /// The call itself, and each connection that isn't closed yet.
  private let open = Mutex(1)

  init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

  func close(_ client: HTTPClient) {
    open.withLock { $0 += 1 }
    client.shutdown { _ in self.end() }
  }

  func end() {
    let isLast = open.withLock { open in
      open -= 1
      return open == 0
    }
    if isLast { leave() }
  }
}

/// What the TLS library throws.
private protocol NIOSSLFailure: Error {}
extension NIOSSLError: NIOSSLFailure {}
extension NIOSSLExtraError: NIOSSLFailure {}

extension HTTPClientRequest {
  fileprivate init(_ request: OutboundRequest) {
    self.init(url: Self.text(of: request))
    headers.add(name: "accept", value: "application/json")
    // Without it, any encoding would be acceptable (RFC 9110 §12.5.3), and none is decoded here.
    headers.add(name: "accept-encoding", value: "identity")
    headers.add(name: "user-agent", value: "gatehouse")
    if let traceParent = request.traceParent {
      headers.add(name: "traceparent", value: traceParent)
    }
    if let authorization = request.authorization {
      headers.add(name: "authorization", value: authorization.reveal())
    }
    if let form = request.form {
      method = .POST
      headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
      body = .bytes(FormEncoding.encode(form))
    }
    if let content = request.content {
      method = .POST
      headers.add(name: "content-type", value: content.type)
      for header in content.headers {
        headers.add(name: header.name, value: header.value.reveal())
      }
      body = .bytes(content.bytes.reveal())
    }
    if request.isDeletion { method = .DELETE }
  }

  private static func text(of request: OutboundRequest) -> String {
    guard !request.query.isEmpty else { return request.url.text }
    let separator = request.url.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return request.url.text + separator
      + String(decoding: FormEncoding.encode(request.query), as: UTF8.self)
  }
}

/// Limits how many calls may be in progress at the same time: in all, for each project, and for each host
/// that a project calls.
///
/// Hosts are slow or don't answer, and calls then last until their time limit. With the shares of
/// `FairShares`, a project whose hosts don't answer doesn't stop the calls of others. Half of a project's
/// share is the most for one host, so that one dead host doesn't stop the project's own other calls.
final class CallLimit: Sendable {
  private struct Destination: Hashable {
    let project: ProjectID?
    let host: String
  }

  private struct Calls {
    var projects: FairShares<ProjectID?>
    /// Only those with calls in progress.
    var hosts: [Destination: Int] = [:]
  }

  private let calls: Mutex<Calls>

  init(_ maximum: Int) { calls = Mutex(Calls(projects: FairShares(places: maximum))) }

  /// - Parameters:
  ///   - project: Nil for a call of the server itself, which has a share like a project.
  ///   - reserved: The number of calls that stay free for other purposes.
  /// - Returns: False if there are too many calls. After true the caller must call ``leave(_:_:)``.
  func enter(_ project: ProjectID?, _ host: String, leaving reserved: Int = 0) -> Bool {
    calls.withLock { calls in
      let destination = Destination(project: project, host: host)
      let forHost = (calls.projects.share(of: project, leaving: reserved) + 1) / 2
      guard calls.hosts[destination, default: 0] < forHost,
        calls.projects.take(for: project, leaving: reserved)
      else { return false }
      calls.hosts[destination, default: 0] += 1
      return true
    }
  }

  func leave(_ project: ProjectID?, _ host: String) {
    calls.withLock { calls in
      let destination = Destination(project: project, host: host)
      let count = calls.hosts[destination, default: 1] - 1
      calls.hosts[destination] = count > 0 ? count : nil
      calls.projects.giveBack(of: project)
    }
  }
}
