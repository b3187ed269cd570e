import Foundation
import GatehouseTokens
import Testing

@testable import GatehouseVerifier

/// When the server is asked for keys, and when not.
@Suite struct ServerKeysTests {
  @Test func `a thousand first tokens at once cause one request`() async throws {
    let setting = try Setting()
    let response = try Fixture.keySet(try Fixture.key)
    setting.server.answer { _ throws(ServerFault) in
      // Gives the other tasks time to arrive.
      for _ in 0..<1000 { await Task.yield() }
      return response
    }
    let token = try Fixture.token()
    let users = try await withThrowingTaskGroup(of: AuthenticatedUser.self) { group in
      for _ in 0..<1000 { group.addTask { try await setting.verifier.verify(token) } }
      return try await group.reduce(into: 0) { count, _ in count += 1 }
    }
    #expect(users == 1000)
    #expect(setting.server.count == 1)
  }

  @Test func `keys are fetched again after four fifths of their lifetime`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.clock.advance(2879)
    try await setting.verifier.prepare()
    #expect(setting.server.count == 1)
    setting.clock.advance(1)
    try await setting.verifier.prepare()
    #expect(setting.server.count == 2)
  }

  @Test func `a new key is fetched at once`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.server.answer(try Fixture.keySet(try Fixture.key, try Fixture.otherKey))
    let user = try await setting.verifier.verify(try Fixture.token(key: try Fixture.otherKey))
    #expect(user.uid == "alice")
    #expect(setting.server.count == 2)
  }

  @Test func `a removed key is refused once the key set is fetched again`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.server.answer(try Fixture.keySet(try Fixture.otherKey))
    setting.clock.advance(2880)
    let token = try Fixture.token(claims: { $0["exp"] = 1_700_007_000 })
    #expect(await refusal { try await setting.verifier.verify(token) }?.code == .keyUnknown)
  }

  @Test func `ten thousand unknown keys cost one request a minute, and valid tokens are accepted`()
    async throws
  {
    let setting = try Setting()
    let good = try Fixture.token()
    _ = try await setting.verifier.verify(good)
    // Only the header differs: without a key, the rest isn't checked.
    let rest = good.drop { $0 != "." }
    let refusals = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<10 {
        group.addTask {
          var refused = 0
          for turn in 0..<1000 {
            let header = #"{"alg":"RS256","typ":"JWT","kid":"\#(worker)-\#(turn)"}"#
            let token = Base64URL.encode(Array(header.utf8)) + rest
            if await refusal({ try await setting.verifier.verify(token) })?.code == .keyUnknown {
              refused += 1
            }
          }
          return refused
        }
      }
      return await group.reduce(0, +)
    }
    #expect(refusals == 10_000)
    #expect(setting.server.count == 2)
    _ = try await setting.verifier.verify(good)
    setting.clock.advance(61)
    let unknown = try Fixture.token(header: { $0["kid"] = "unknown" })
    #expect(await refusal { try await setting.verifier.verify(unknown) }?.code == .keyUnknown)
    #expect(setting.server.count == 3)
  }

  @Test func `a server that is down costs one request in thirty seconds`() async throws {
    let setting = try Setting()
    setting.server.fail(.timedOut)
    let token = try Fixture.token()
    for _ in 0..<100 {
      #expect(
        await refusal { try await setting.verifier.verify(token) } == .unavailable(.timedOut))
    }
    #expect(setting.server.count == 1)
    setting.clock.advance(31)
    setting.server.answer(try Fixture.keySet(try Fixture.key))
    #expect(try await setting.verifier.verify(token).uid == "alice")
    #expect(setting.server.count == 2)
  }

  @Test func `keys are used for a day after they expired while the server is down`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.server.fail(.connection("refused"))
    setting.clock.advance(3600 + 86_399)
    let token = try Fixture.token(claims: {
      $0["iat"] = 1_700_089_000
      $0["exp"] = 1_700_092_600
    })
    #expect(try await setting.verifier.verify(token).uid == "alice")
    setting.clock.advance(1)
    #expect(
      await refusal { try await setting.verifier.verify(token) }
        == .unavailable(.connection("refused")))
  }

  @Test func `no caller with keys waits for a server that is known to be down`()
    async throws
  {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.clock.advance(3700)
    setting.server.fail(.timedOut)
    try await setting.verifier.prepare()
    setting.clock.advance(31)
    // The next attempt hangs. One caller waits for it; the others use the keys that are there.
    let gate = AsyncStream.makeStream(of: Void.self)
    let reached = AsyncStream.makeStream(of: Void.self)
    setting.server.answer { _ throws(ServerFault) in
      reached.continuation.finish()
      for await _ in gate.stream {}
      throw .timedOut
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await setting.verifier.prepare() }
      for await _ in reached.stream {}
      for _ in 0..<100 { try await setting.verifier.prepare() }
      gate.continuation.finish()
      try await group.waitForAll()
    }
    #expect(setting.server.count == 3)
  }

  @Test func `a cancelled caller still fetches the keys for the others`() async throws {
    let setting = try Setting()
    let response = try Fixture.keySet(try Fixture.key)
    let gate = AsyncStream.makeStream(of: Void.self)
    let reached = AsyncStream.makeStream(of: Void.self)
    setting.server.answer { _ throws(ServerFault) in
      reached.continuation.finish()
      // The real transport doesn't stop on cancellation either.
      while gate.continuation.yield().isOpen { await Task.yield() }
      return response
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await setting.verifier.prepare() }
      for await _ in reached.stream {}
      group.cancelAll()
      gate.continuation.finish()
      try await group.waitForAll()
    }
    #expect(try await setting.verifier.verify(try Fixture.token()).uid == "alice")
    #expect(setting.server.count == 1)
  }

  @Test(arguments: [
    (ServerResponse(status: 500), ServerFault.status(500)),
    (ServerResponse(status: 302), .status(302)),
    (ServerResponse(status: 200), .malformed),
    (ServerResponse(status: 200, body: Data("[]".utf8)), .malformed),
    (ServerResponse(status: 200, body: Data(#"{"keys":[]}"#.utf8)), .noUsableKey),
    (ServerResponse(status: 200, body: Data(count: 256 * 1024 + 1)), .tooLarge),
  ])
  func `after a response without keys no token is accepted`(
    _ response: ServerResponse, _ fault: ServerFault
  ) async throws {
    let setting = try Setting(response)
    let token = try Fixture.token()
    #expect(await refusal { try await setting.verifier.verify(token) } == .unavailable(fault))
  }

  @Test func `a response without keys doesn't replace existing keys`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.server.answer(ServerResponse(status: 200, body: Data(#"{"keys":[]}"#.utf8)))
    setting.clock.advance(3000)
    #expect(try await setting.verifier.verify(try Fixture.token()).uid == "alice")
    #expect(setting.server.count == 2)
  }
}

extension AsyncStream<Void>.Continuation.YieldResult {
  fileprivate var isOpen: Bool { if case .terminated = self { false } else { true } }
}
