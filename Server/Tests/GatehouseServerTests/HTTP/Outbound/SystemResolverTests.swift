import Dispatch
import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

/// The system's resolver blocks a thread until the name server answers, or the system gives up.
@Suite struct SystemResolverTests {
  @Test func `a project with names that nobody answers leaves look-ups to another project`()
    async throws
  {
    let names = Names()
    defer { names.giveUp() }
    let bad = try #require(ProjectID("bad-project"))
    let results = await withTaskGroup(of: OutboundError?.self) { group in
      for number in 0..<64 {
        group.addTask { await names.failure(of: "dead\(number).example", for: bad) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    // Half of the look-ups: whether the first ones still wait or timed out, their threads are blocked.
    #expect(results.count { $0 == .busy } == 32)
    #expect(names.asked.count == 32)
    let good = try #require(ProjectID("good-project"))
    for number in 0..<16 {
      #expect(await names.failure(of: "alive\(number).example", for: good) == nil)
    }
  }

  @Test func `callers of one host share a look-up, and a late one fails at once`() async throws {
    let names = Names()
    defer { names.giveUp() }
    await withTaskGroup(of: OutboundError?.self) { group in
      for _ in 0..<10 { group.addTask { await names.failure(of: "dead.example") } }
      for await failure in group { #expect(failure == .timedOut(host: "dead.example")) }
    }
    let failure = await names.failure(of: "dead.example", within: .seconds(3600))
    #expect(failure == .timedOut(host: "dead.example"))
    #expect(names.asked == ["dead.example"])
  }

  @Test func `a host whose look-up timed out isn't looked up again soon`() async throws {
    let names = Names()
    #expect(await names.failure(of: "dead.example") == .timedOut(host: "dead.example"))
    names.giveUp()
    for _ in 0..<1000 {
      let failure = await names.failure(of: "dead.example", within: .seconds(3600))
      #expect(failure == .timedOut(host: "dead.example"))
      await Task.yield()
    }
    #expect(names.asked == ["dead.example"])
  }

  @Test func `a host that answered late is looked up again`() async throws {
    let names = Names(answersAtLast: true)
    #expect(await names.failure(of: "dead.example") == .timedOut(host: "dead.example"))
    names.giveUp()
    // Until the thread of the first look-up has ended.
    while await names.failure(of: "dead.example", within: .seconds(3600)) != nil {
      await Task.yield()
    }
    #expect(names.asked == ["dead.example", "dead.example"])
  }

  @Test func `a name without an address has none`() async throws {
    let names = Names()
    #expect(await names.failure(of: "none.example") == .unresolvable(host: "none.example"))
  }
}

/// A resolver over names of which those that begin with `dead` get no answer until ``giveUp()``.
private final class Names: Sendable {
  private struct State {
    var asked: [String] = []
    var hasGivenUp = false
  }

  private let state = Mutex(State())
  private let wait = DispatchSemaphore(value: 0)
  private let answersAtLast: Bool
  private let resolver = Mutex<SystemResolver?>(nil)

  init(answersAtLast: Bool = false) { self.answersAtLast = answersAtLast }

  var asked: [String] { state.withLock { $0.asked } }

  /// Ends the look-ups that wait.
  func giveUp() {
    let count = state.withLock { state in
      state.hasGivenUp = true
      return state.asked.count
    }
    for _ in 0..<count { wait.signal() }
  }

  private func lookUp(_ host: String) -> [IPAddress] {
    let mustWait = state.withLock { state in
      state.asked.append(host)
      return !state.hasGivenUp && host.hasPrefix("dead")
    }
    let address = [IPAddress("192.0.2.1")].compactMap(\.self)
    if mustWait { wait.wait() }
    if host.hasPrefix("dead") { return answersAtLast ? address : [] }
    return host.hasPrefix("none") ? [] : address
  }

  /// Nil if the host has an address.
  func failure(
    of host: String, for project: ProjectID? = nil, within timeout: Duration? = nil
  ) async -> OutboundError? {
    let resolver = resolver.withLock { resolver in
      let made = resolver ?? SystemResolver(silence: .seconds(3600)) { [self] in lookUp($0) }
      resolver = made
      return made
    }
    // Long for a host that answers, short for one that doesn't.
    let usual: Duration = host.hasPrefix("dead") ? .milliseconds(100) : .seconds(60)
    do throws(OutboundError) {
      _ = try await resolver.addresses(of: host, for: project, timeout: timeout ?? usual)
      return nil
    } catch {
      return error
    }
  }
}
