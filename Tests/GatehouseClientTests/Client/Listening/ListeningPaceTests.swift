import Foundation
import Testing

@testable import GatehouseClient

@Suite struct ListeningPaceTests {
  private typealias Outcome = ListeningPace.Outcome

  /// The pauses after the same outcome again and again, without chance.
  private func pauses(_ outcome: ListeningPace.Outcome, _ count: Int) -> [TimeInterval] {
    var pace = ListeningPace()
    return (0..<count).map { _ in pace.pause(after: outcome, chance: 0.5) }
  }

  private func seconds(_ values: TimeInterval...) -> [TimeInterval] { values }

  @Test func `pauses double after failures, up to two minutes`() {
    #expect(pauses(.failed, 10) == seconds(1, 2, 4, 8, 16, 32, 64, 120, 120, 120))
  }

  @Test func `streams that end at once are failures, whatever the server wishes`() {
    let short = Outcome.ended(after: 1, retry: 0)
    #expect(pauses(short, 4) == seconds(1, 2, 4, 8))
    let long = Outcome.ended(after: 30, retry: 3)
    #expect(pauses(long, 4) == seconds(3, 3, 3, 3))
    let unkind = Outcome.ended(after: 30, retry: 86_400)
    #expect(pauses(unkind, 2) == seconds(120, 120))
  }

  @Test func `a good stream ends the growth`() {
    var pace = ListeningPace()
    for _ in 0..<5 { _ = pace.pause(after: .failed, chance: 0.5) }
    #expect(pace.pause(after: .ended(after: 60, retry: nil), chance: 0.5) == 1)
    #expect(pace.pause(after: .failed, chance: 0.5) == 1)
  }

  @Test func `a server without room is asked when it says, in an hour at most`() {
    #expect(pauses(.refused(retryAfter: 60), 2) == seconds(60, 60))
    #expect(pauses(.refused(retryAfter: nil), 3) == seconds(1, 2, 4))
    #expect(pauses(.refused(retryAfter: 999_999), 1) == seconds(3600))
  }

  @Test func `a server without streams is asked once an hour, and a replaced device waits`() {
    #expect(pauses(.notOffered, 2) == seconds(3600, 3600))
    #expect(pauses(.replaced, 2) == seconds(600, 600))
  }

  @Test func `chance makes a pause up to a half shorter or longer`() {
    var pace = ListeningPace()
    #expect(pace.pause(after: .notOffered, chance: 0) == 1800)
    #expect(pace.pause(after: .notOffered, chance: 1) == 5400)
  }
}
