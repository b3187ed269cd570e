import Foundation

// Tests of the server's package use this file, too.
@testable import class GatehouseProtocol.Locked
@testable import GatehouseVerifier

/// A server that returns the test's response and records the requests.
final class StubTransport: ServerTransport {
  typealias Answer = @Sendable (ServerRequest) async throws(ServerFault) -> ServerResponse

  private struct State {
    var answer: Answer
    var requests: [ServerRequest] = []
  }

  private let state: Locked<State>

  init(_ answer: @escaping Answer) { state = Locked(State(answer: answer)) }

  convenience init(_ response: ServerResponse) {
    self.init { _ throws(ServerFault) in response }
  }

  var requests: [ServerRequest] { state.withLock { $0.requests } }
  var count: Int { requests.count }

  /// Sets the response from now on.
  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }
  func answer(_ response: ServerResponse) { answer { _ throws(ServerFault) in response } }
  func fail(_ fault: ServerFault) { answer { _ throws(ServerFault) in throw fault } }

  func send(_ request: ServerRequest) async throws(ServerFault) -> ServerResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answer
    }
    return try await answer(request)
  }
}

/// A clock that the test advances.
final class TestClock: Sendable {
  private let time = Locked(Fixture.now)

  var now: Date { time.withLock { $0 } }

  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

/// A verifier with its server and clock.
struct Setting {
  let server: StubTransport
  let clock = TestClock()
  let verifier: IDTokenVerifier
  let cookieVerifier: SessionCookieVerifier

  init(
    _ response: ServerResponse? = nil, configuration: VerifierConfiguration? = nil
  ) throws {
    server = StubTransport(try response ?? Fixture.keySet(try Fixture.key))
    let configuration = try configuration ?? Fixture.configuration
    let clock = clock
    verifier = IDTokenVerifier(configuration, transport: server) { clock.now }
    cookieVerifier = SessionCookieVerifier(configuration, transport: server) { clock.now }
  }
}
