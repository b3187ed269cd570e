import Foundation
import GatehouseTokens
import Testing

@Suite struct KeyCacheStateTests {
  private struct Failure: Error {}
  private typealias State = KeyCacheState<String, Failure>

  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `without keys the first asks and the others wait`() {
    var state = State(limits: .init(), unknownKey: Failure())
    #expect(name(state.keys(now: start, hasBackground: false)) == "fetch all")
    #expect(name(state.keys(now: start, hasBackground: false)) == "wait")
  }

  @Test func `fresh keys are used until the second in which they expire`() {
    var state = fetched()
    #expect(name(state.keys(now: start + 999, hasBackground: true)) == "use 1, refresh")
    #expect(name(state.keys(now: start + 999, hasBackground: true)) == "use 1")
    #expect(name(state.keys(now: start + 1000, hasBackground: true)) == "fetch all")
  }

  @Test
  func `without a background one caller refreshes past four fifths, and the others don't wait`() {
    var state = fetched()
    #expect(name(state.keys(now: start + 799, hasBackground: false)) == "use 1")
    #expect(name(state.keys(now: start + 800, hasBackground: false)) == "fetch all")
    #expect(name(state.keys(now: start + 800, hasBackground: false)) == "use 1")
    state.failed(Failure(), now: start + 801)
    #expect(name(state.keys(now: start + 830, hasBackground: false)) == "use 1")
    #expect(name(state.keys(now: start + 831, hasBackground: false)) == "fetch all")
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
    var state = State(limits: .init(), unknownKey: Failure())
    _ = state.keys(now: start, hasBackground: false)
    state.failed(Failure(), now: start)
    #expect(name(state.keys(now: start + 29, hasBackground: false)) == "refuse")
    #expect(name(state.keys(now: start + 30, hasBackground: false)) == "fetch all")
  }

  @Test func `expired keys are used for at most a day while the provider fails`() {
    var state = fetched()
    let expiry = start + 1000
    for last in [expiry, expiry + 86_399] {
      #expect(name(state.keys(now: last, hasBackground: false)) == "fetch all")
      state.failed(Failure(), now: last)
      #expect(name(state.keys(now: last, hasBackground: false)) == "use 1")
    }
    #expect(name(state.keys(now: expiry + 86_400, hasBackground: false)) == "refuse")
  }

  @Test func `while the provider is down, callers with keys do not wait for the next attempt`() {
    var state = fetched()
    _ = state.keys(now: start + 800, hasBackground: true)
    _ = state.beginRefresh(now: start + 800)
    state.failed(Failure(), now: start + 805)
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
      state.fetched(try snapshot(at: start, EllipticKey(keyID: "key")))
    }
    #expect(name(state.keys(after: 5, now: start + 5)) == "refuse")
    #expect(name(state.keys(after: 5, now: start + 61)) == "fetch keys")
  }

  @Test func `a fetch that brings the same keys closes the window, also after a rotation`() throws {
    var state = fetched()
    let new = EllipticKey(keyID: "key")
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

  @Test func `a caller that asks after newer keys came gets them without a fetch`() {
    var state = fetched()
    _ = state.keys(after: 1, now: start)
    state.fetched(snapshot(at: start))
    #expect(name(state.keys(after: 1, now: start)) == "use 2")
  }

  @Test func `after an abandoned fetch another caller fetches`() {
    var state = State(limits: .init(), unknownKey: Failure())
    _ = state.keys(now: start, hasBackground: false)
    state.abandoned()
    #expect(name(state.keys(now: start, hasBackground: false)) == "fetch all")
  }

  @Test func `a clock that was set back doesn't keep keys fresh for longer than their lifetime`() {
    var state = fetched()
    #expect(name(state.keys(now: start - 999, hasBackground: false)) == "use 1")
    #expect(name(state.keys(now: start - 1000, hasBackground: false)) == "fetch all")
  }

  @Test func `a clock that was set back doesn't close a window for good`() {
    var state = fetched()
    _ = state.keys(after: 1, now: start)
    state.fetched(snapshot(at: start))
    #expect(name(state.keys(after: 2, now: start - 3600)) == "fetch keys")
  }

  private func fetched() -> State {
    var state = State(limits: .init(), unknownKey: Failure())
    _ = state.keys(now: start, hasBackground: false)
    state.fetched(snapshot(at: start))
    return state
  }

  private func snapshot(at instant: Date) -> State.Keys {
    State.Keys(keys: KeySet([]), fetchedAt: instant, lifetimeSeconds: 1000)
  }

  private func snapshot(at instant: Date, _ key: EllipticKey) throws -> State.Keys {
    let keys = try keySet([key.jwk])
    return State.Keys(keys: keys, fetchedAt: instant, lifetimeSeconds: 1000)
  }

  private func name(_ action: State.Action) -> String {
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
