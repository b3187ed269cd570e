import Foundation
import Testing

@testable import GatehouseURLSession

/// What needs no server. `URLSessionServerTransportTests` and `URLSessionTransportTests` have servers
/// of many kinds.
@Suite struct ExchangeSessionTests {
  /// Nothing listens there.
  private static func request() throws -> ExchangeRequest {
    ExchangeRequest(
      .get, try #require(URL(string: "http://127.0.0.1:1/")), maximumBytes: 1,
      timeout: 60)
  }

  @Test func `an unreachable server is a fault`() async throws {
    let request = try Self.request()
    let fault = await #expect(throws: ExchangeFault.self) {
      try await ExchangeSession().send(request, stopsIfCancelled: true)
    }
    #expect(fault?.kind == .cannotConnect)
  }

  @Test(arguments: [(true, .cancelled), (false, .cannotConnect)] as [(Bool, ExchangeFault.Kind)])
  func `a caller that is cancelled ends the exchange only if it wants to`(
    _ stops: Bool, _ kind: ExchangeFault.Kind
  ) async throws {
    let request = try Self.request()
    let caller = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await ExchangeSession().send(request, stopsIfCancelled: stops)
    }
    caller.cancel()
    let fault = await #expect(throws: ExchangeFault.self) { try await caller.value }
    #expect(fault?.kind == kind)
  }
}
