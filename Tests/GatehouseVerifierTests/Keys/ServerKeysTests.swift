import Foundation
import GatehouseTokens
import Testing

@testable import GatehouseVerifier

/// When the server is asked for keys, and when not.
@Suite struct ServerKeysTests {
  @Test func `a thousand first tokens at once make one request`() async throws {
    let setting = try Setting()
    let response = try Fixture.keySet(try Fixture.key)
    setting.server.answer { _ throws(ServerFault) in
      // Lets the others arrive.
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

  @Test func `keys are asked for again when four fifths of their time are over`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.clock.advance(2879)
    try await setting.verifier.prepare()
    #expect(setting.server.count == 1)
    setting.clock.advance(1)
    try await setting.verifier.prepare()
    #expect(setting.server.count == 2)
  }

  @Test func `a key that is new is fetched at once`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.server.answer(try Fixture.keySet(try Fixture.key, try Fixture.otherKey))
    let user = try await setting.verifier.verify(try Fixture.token(key: try Fixture.otherKey))
    #expect(user.uid == "alice")
    #expect(setting.server.count == 2)
  }

  @Test func `a key that is gone is believed no longer than the set that held it`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.server.answer(try Fixture.keySet(try Fixture.otherKey))
    setting.clock.advance(2880)
    let token = try Fixture.token(claims: { $0["exp"] = 1_700_007_000 })
    #expect(await refusal { try await setting.verifier.verify(token) }?.code == .keyUnknown)
  }

  @Test func `ten thousand made-up keys cost one request a minute, and good tokens pass`()
    async throws
  {
    let setting = try Setting()
    let good = try Fixture.token()
    _ = try await setting.verifier.verify(good)
    // Only the header is another: what comes after it isn't looked at without a key.
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

  @Test func `keys are used for a day past their time while the server is down`() async throws {
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

  @Test func `nobody waits for a server that is known to be down, while there are keys`()
    async throws
  {
    let setting = try Setting()
    try await setting.verifier.prepare()
    setting.clock.advance(3700)
    setting.server.fail(.timedOut)
    try await setting.verifier.prepare()
    setting.clock.advance(31)
    // The next attempt hangs, and one caller with it; the others pass.
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

  @Test func `a caller that goes away takes nobody's keys along`() async throws {
    let setting = try Setting()
    let response = try Fixture.keySet(try Fixture.key)
    let gate = AsyncStream.makeStream(of: Void.self)
    let reached = AsyncStream.makeStream(of: Void.self)
    setting.server.answer { _ throws(ServerFault) in
      reached.continuation.finish()
      // Like the real one, which isn't cancelled either.
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
  func `an answer without keys verifies nothing`(
    _ response: ServerResponse, _ fault: ServerFault
  ) async throws {
    let setting = try Setting(response)
    let token = try Fixture.token()
    #expect(await refusal { try await setting.verifier.verify(token) } == .unavailable(fault))
  }

  @Test func `an answer without keys doesn't push out those that are there`() async throws {
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
