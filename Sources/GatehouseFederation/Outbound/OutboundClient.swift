import AsyncHTTPClient
import GatehouseModel
import NIOCore
import NIOHTTP1
import NIOPosix

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
/// address while TLS (SNI and the certificate) and `Host` keep the name: a name server can't answer
/// one thing to the check and another to the connection. Redirects are not followed, no proxy is
/// taken from the environment, and time and size are bounded.
///
/// Each call has a connection of its own. Calls are rare (key sets are cached for hours, codes are
/// exchanged once), and so no connection outlives the check of its address.
package final class OutboundClient: OutboundTransport {
  package struct Limits: Sendable {
    /// For the whole call: look-up, connection, TLS, answer.
    package var duration: Duration = .seconds(5)
    /// Of the answer's body.
    package var bodyBytes = 256 * 1024
    package var concurrentCalls = 64
    /// Of these only fetches of keys may have so many: however many codes are being exchanged,
    /// tokens can still be verified.
    package var callsReservedForKeys = 16
    /// Addresses of one host that are tried in turn while none accepts the connection.
    package var addresses = 4

    package init() {}
  }

  private let rule: OutboundRule
  private let limits: Limits
  private let resolver: any HostResolver
  private let calls: CallLimit

  /// Takes `resolver` over: ``shutdown()`` ends it.
  package init(
    rule: OutboundRule, limits: Limits = Limits(), resolver: any HostResolver = SystemResolver()
  ) {
    self.rule = rule
    self.limits = limits
    self.resolver = resolver
    calls = CallLimit(limits.concurrentCalls)
  }

  /// Ends the resolver's threads. Calls after it fail.
  package func shutdown() async { await resolver.shutdown() }

  package func send(
    _ request: OutboundRequest
  ) async throws(OutboundError) -> OutboundResponse {
    let reserved = request.isForKeys ? 0 : limits.callsReservedForKeys
    guard calls.enter(leaving: reserved) else { throw .busy }
    defer { calls.leave() }
    let host = request.url.host
    do {
      return try await withThrowingTaskGroup(of: OutboundResponse.self) { group in
        group.addTask { try await self.call(request) }
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

  /// The library's limits lie behind ours, but on a busy machine its timers may be heard first.
  private static func isTimeout(_ error: any Error) -> Bool {
    guard let error = error as? HTTPClientError else { return false }
    return [.deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout].contains(error)
  }

  private func call(_ request: OutboundRequest) async throws -> OutboundResponse {
    let url = request.url
    let addresses =
      if let literal = IPAddress(url.host) {
        [literal]
      } else {
        try await resolver.addresses(of: url.host, timeout: limits.duration)
      }
    try rule.check(addresses, for: url)
    for address in addresses.prefix(limits.addresses) {
      do {
        return try await exchange(request, with: address)
      } catch let error where Self.isConnectionRefusal(error) && !Task.isCancelled {
        // Nothing was sent, so the next address may have it.
        continue
      }
    }
    throw OutboundError.notConnected(host: url.host)
  }

  private func exchange(
    _ request: OutboundRequest, with address: IPAddress
  ) async throws -> OutboundResponse {
    let client = HTTPClient(
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
      configuration: configuration(host: request.url.host, address: address))
    let result: Result<OutboundResponse, any Error>
    do {
      result = .success(try await answer(request, client))
    } catch {
      result = .failure(error)
    }
    try? await client.shutdown()
    return try result.get()
  }

  private func configuration(host: String, address: IPAddress) -> HTTPClient.Configuration {
    // The group's timer ends the call, so the library's own limits lie behind it; but an address
    // that swallows packets must leave time for another.
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: TimeAmount(limits.duration * 2 / 5), read: TimeAmount(limits.duration * 2)))
    configuration.dnsOverride = [host: address.description]
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
  }

  private func answer(
    _ request: OutboundRequest, _ client: HTTPClient
  ) async throws -> OutboundResponse {
    let host = request.url.host
    let response = try await client.execute(
      HTTPClientRequest(request), deadline: .now() + TimeAmount(limits.duration * 2))
    let body: ByteBuffer
    do {
      body = try await response.body.collect(upTo: limits.bodyBytes)
    } catch is NIOTooManyBytesError {
      throw OutboundError.tooLarge(host: host, limitBytes: limits.bodyBytes)
    }
    return OutboundResponse(
      status: Int(response.status.code),
      cacheControl: response.headers.first(name: "cache-control"),
      age: response.headers.first(name: "age").flatMap { Int($0) },
      date: response.headers.first(name: "date"), body: Array(body.readableBytesView))
  }

  private static let refusals = [
    ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, ENETDOWN, EAFNOSUPPORT,
  ]

  private static func isConnectionRefusal(_ error: any Error) -> Bool {
    if error is NIOConnectionError { return true }
    if let error = error as? IOError { return refusals.contains(error.errnoCode) }
    return (error as? HTTPClientError) == .connectTimeout
  }
}

extension HTTPClientRequest {
  fileprivate init(_ request: OutboundRequest) {
    self.init(url: Self.text(of: request))
    if request.isDeletion { method = .DELETE }
    headers.add(name: "accept", value: "application/json")
    headers.add(name: "user-agent", value: "gatehouse")
    if let authorization = request.authorization {
      headers.add(name: "authorization", value: authorization.reveal())
    }
    if let form = request.form {
      method = .POST
      headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
      body = .bytes(FormEncoding.encode(form))
    }
  }

  private static func text(of request: OutboundRequest) -> String {
    guard !request.query.isEmpty else { return request.url.text }
    let separator = request.url.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return request.url.text + separator
      + String(decoding: FormEncoding.encode(request.query), as: UTF8.self)
  }
}
