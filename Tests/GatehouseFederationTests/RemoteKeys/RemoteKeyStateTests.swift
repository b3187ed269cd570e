import Foundation
import GatehouseFederation
import GatehouseTokens
import Testing

@Suite struct RemoteKeyStateTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `without keys the first caller fetches and the others wait`() {
    var state = RemoteKeyState(limits: .init())
    #expect(name(state.keys(now: start, hasBackground: false)) == "fetch all")
    #expect(name(state.keys(now: start, hasBackground: false)) == "wait")
  }

  @Test func `fresh keys are used until the second in which they expire`() {
    var state = fetched()
    #expect(name(state.keys(now: start + 999, hasBackground: false)) == "use 1")
    #expect(name(state.keys(now: start + 1000, hasBackground: false)) == "fetch all")
  }

  @Test func `after four fifths of their lifetime one caller has keys refreshed`() {
    var state = fetched()
    #expect(name(state.keys(now: start + 799, hasBackground: true)) == "use 1")
    #expect(name(state.keys(now: start + 800, hasBackground: true)) == "use 1, refresh")
    #expect(name(state.keys(now: start + 801, hasBackground: true)) == "use 1")
    #expect(state.beginRefresh(now: start + 801) != nil)
    #expect(state.beginRefresh(now: start + 801) == nil)
    #expect(name(state.keys(now: start + 802, hasBackground: true)) == "use 1")
    state.fetched(snapshot(at: start + 801))
    #expect(name(state.keys(now: start + 1001, hasBackground: true)) == "use 2")
  }

  @Test func `a failure is remembered until the next attempt`() {
    var state = RemoteKeyState(limits: .init())
    _ = state.keys(now: start, hasBackground: false)
    state.failed(.status(500, .keys), now: start)
    #expect(name(state.keys(now: start + 29, hasBackground: false)) == "refuse")
    #expect(name(state.keys(now: start + 30, hasBackground: false)) == "fetch all")
  }

  @Test func `expired keys are used for at most a day while the provider fails`() {
    var state = fetched()
    let expiry = start + 1000
    for last in [expiry, expiry + 86_399] {
      #expect(name(state.keys(now: last, hasBackground: false)) == "fetch all")
      state.failed(.status(500, .keys), now: last)
      #expect(name(state.keys(now: last, hasBackground: false)) == "use 1")
    }
    #expect(name(state.keys(now: expiry + 86_400, hasBackground: false)) == "refuse")
  }

  @Test func `while the provider is down no caller waits for an attempt if there are keys`() {
    var state = fetched()
    _ = state.keys(now: start + 800, hasBackground: true)
    _ = state.beginRefresh(now: start + 800)
    state.failed(.status(500, .keys), now: start + 805)
    #expect(name(state.keys(now: start + 1000, hasBackground: true)) == "use 1, refresh")
    _ = state.beginRefresh(now: start + 1000)
    #expect(name(state.keys(now: start + 1001, hasBackground: true)) == "use 1")
  }

  @Test func `ten thousand unknown keys cause one fetch per window`() {
    var state = fetched()
    var fetches = 0
    for second in 0..<10_000 {
      let now = start + Double(second) * 0.0119
      if case .fetch = state.keys(after: 1, now: now) {
        fetches += 1
        // The provider's keys are the same as before, so the token's key is still unknown.
        state.fetched(snapshot(at: now))
      }
      if case .use(let newer) = state.keys(after: 2, now: now) { #expect(newer.generation > 2) }
    }
    #expect(fetches <= 2)
  }

  @Test func `a provider that rotates again within the window is asked again, up to the limit`()
    throws
  {
    var state = fetched()
    for number in 1...4 {
      #expect(name(state.keys(after: number, now: start + Double(number))) == "fetch keys")
      state.fetched(try snapshot(at: start, TestKey.p256("key")))
    }
    #expect(name(state.keys(after: 5, now: start + 5)) == "refuse")
    #expect(name(state.keys(after: 5, now: start + 61)) == "fetch keys")
  }

  @Test func `a fetch that brings the same keys closes the window, also after a rotation`() throws {
    var state = fetched()
    let new = TestKey.p256("key")
    #expect(name(state.keys(after: 1, now: start)) == "fetch keys")
    state.fetched(try snapshot(at: start, new))
    #expect(name(state.keys(after: 2, now: start + 1)) == "fetch keys")
    state.fetched(try snapshot(at: start, new))
    #expect(name(state.keys(after: 3, now: start + 2)) == "refuse")
  }

  @Test func `valid tokens don't wait for the fetch of an unknown key`() {
    var state = fetched()
    #expect(name(state.keys(after: 1, now: start + 1)) == "fetch keys")
    #expect(name(state.keys(now: start + 1, hasBackground: false)) == "use 1")
    #expect(name(state.keys(after: 1, now: start + 1)) == "wait")
  }

  @Test func `the window opens again after exactly 60 seconds`() {
    var state = fetched()
    #expect(name(state.keys(after: 1, now: start)) == "fetch keys")
    state.fetched(snapshot(at: start))
    #expect(name(state.keys(after: 2, now: start + 59)) == "refuse")
    #expect(name(state.keys(after: 2, now: start + 60)) == "fetch keys")
  }

  @Test func `callers that are cancelled don't open the window`() {
    var state = fetched()
    _ = state.keys(after: 1, now: start)
    state.abandoned()
    #expect(name(state.keys(after: 1, now: start + 1)) == "refuse")
  }

  @Test func `a caller that asks after newer keys arrived gets them without a fetch`() {
    var state = fetched()
    _ = state.keys(after: 1, now: start)
    state.fetched(snapshot(at: start))
    #expect(name(state.keys(after: 1, now: start)) == "use 2")
  }

  @Test func `another caller can begin a fetch that was abandoned`() {
    var state = RemoteKeyState(limits: .init())
    _ = state.keys(now: start, hasBackground: false)
    state.abandoned()
    #expect(name(state.keys(now: start, hasBackground: false)) == "fetch all")
  }

  @Test func `a clock that was set back doesn't close a window forever`() {
    var state = fetched()
    _ = state.keys(after: 1, now: start)
    state.fetched(snapshot(at: start))
    #expect(name(state.keys(after: 2, now: start - 3600)) == "fetch keys")
  }

  private func fetched() -> RemoteKeyState {
    var state = RemoteKeyState(limits: .init())
    _ = state.keys(now: start, hasBackground: false)
    state.fetched(snapshot(at: start))
    return state
  }

  private func snapshot(at instant: Date) -> KeySnapshot {
    KeySnapshot(keys: KeySet([]), fetchedAt: instant, lifetimeSeconds: 1000)
  }

  private func snapshot(at instant: Date, _ key: TestKey) throws -> KeySnapshot {
    let keys = try KeySet(jwks: TestKey.set([key]))
    return KeySnapshot(keys: keys, fetchedAt: instant, lifetimeSeconds: 1000)
  }

  private func name(_ action: RemoteKeyState.Action) -> String {
    switch action {
    case .use(let snapshot): "use \(snapshot.generation)"
    case .useAndRefresh(let snapshot): "use \(snapshot.generation), refresh"
    case .fetch(.all): "fetch all"
    case .fetch(.keys): "fetch keys"
    case .wait: "wait"
    case .refuse: "refuse"
    }
  }
}
