import Foundation
import GatehouseClient
import Testing

@Suite struct SessionSequenceTests {
  @Test func `a loop gets the latest first, then each change`() async throws {
    let bench = try Bench()
    var sessions = bench.client.sessions.makeAsyncIterator()
    var profiles = bench.client.profiles.makeAsyncIterator()
    var idTokens = bench.client.idTokens.makeAsyncIterator()
    #expect(await sessions.next() == .signedOut)
    #expect(await profiles.next() == .some(nil))
    let user = try await bench.signedIn()
    #expect(await sessions.next() == .signedIn(user.snapshot))
    #expect(await profiles.next() == user.snapshot)
    #expect(await idTokens.next() == user.heldIDToken)
    bench.clock.advance(seconds: 60)
    let token = try await user.idToken(forcingRefresh: true)
    #expect(await idTokens.next() == token)
  }

  @Test func `a slow loop gets only the latest value`() async throws {
    let bench = try Bench()
    var idTokens = bench.client.idTokens.makeAsyncIterator()
    let user = try await bench.signedIn()
    var last: IDToken?
    for _ in 0..<5 {
      bench.clock.advance(seconds: 60)
      last = try await user.idToken(forcingRefresh: true)
    }
    #expect(await idTokens.next() == last)
  }

  @Test func `a loop ends with its task`() async throws {
    let bench = try Bench()
    let started = TestGate()
    let task = Task {
      for await _ in bench.client.sessions { started.open() }
    }
    await started.wait()
    task.cancel()
    await task.value
  }
}
