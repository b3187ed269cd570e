import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AttemptRecordsTests {
  private func counter(_ byte: UInt8, _ kind: AttemptCounter.Kind = .failuresOfAccount)
    -> AttemptCounter
  {
    AttemptCounter(kind: kind, owner: Array(repeating: byte, count: 32))
  }

  @Test(arguments: StoreFactory.all)
  func `attempts are stored by project, kind and owner`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let three = Attempts(count: 3, endsAt: Sample.now)
      let four = Attempts(count: 4, endsAt: Sample.now.addingTimeInterval(0.5))
      let found = try await store.write { transaction in
        try transaction.save(three, of: counter(1), in: first)
        try transaction.save(four, of: counter(1), in: first)
        try transaction.save(three, of: counter(2), in: first)
        try transaction.deleteAttempts(counter(2), in: first)
        try transaction.deleteAttempts(counter(9), in: first)
        return [
          try transaction.attempts(counter(1), in: first),
          try transaction.attempts(counter(2), in: first),
          try transaction.attempts(counter(1, .failuresOfAddress), in: first),
          try transaction.attempts(counter(1), in: second),
        ]
      }
      #expect(found == [four, nil, nil, nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `sweeping removes windows that have ended, up to its limit`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let (counts, kept) = try await store.write { transaction in
        for byte in 0..<3 as Range<UInt8> {
          try transaction.save(
            Attempts(count: 1, endsAt: Sample.now.addingTimeInterval(-1)), of: counter(byte),
            in: project)
        }
        try transaction.save(
          Attempts(count: 1, endsAt: Sample.now), of: counter(9), in: project)
        let counts = try [2, 10, 10].map {
          try transaction.sweepAttempts(now: Sample.now, limit: $0)
        }
        return (counts, try transaction.attempts(counter(9), in: project))
      }
      #expect(counts == [2, 1, 0])
      #expect(kept?.count == 1)
    }
  }
}
