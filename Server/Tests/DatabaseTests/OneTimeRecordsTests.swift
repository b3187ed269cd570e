import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct OneTimeRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `a token is spent once in each project`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let answers = try await store.write { transaction in
        [
          try transaction.spend(Sample.token(1), in: first),
          try transaction.spend(Sample.token(1, expiresAt: .distantFuture), in: first),
          try transaction.spend(Sample.token(2), in: first),
          try transaction.spend(Sample.token(1), in: second),
        ]
      }
      #expect(answers == [true, false, true, true])
      let known = try await store.read { transaction in
        [
          try transaction.isSpent(Sample.token(1), in: first),
          try transaction.isSpent(Sample.token(2), in: second),
          try transaction.isSpent(Sample.token(3), in: first),
        ]
      }
      #expect(known == [true, false, false])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `the latest removal of an identity is stored`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let subject = try Sample.subject("alice")
      let later = Sample.now.addingTimeInterval(5)
      let times = try await store.write { transaction in
        for time in [Sample.now, later, Sample.now] {
          try transaction.recordDetachment(
            of: .google, subject: subject, in: project, at: time, keptUntil: .distantFuture)
        }
        return [
          try transaction.detachment(of: .google, subject: subject, in: project),
          try transaction.detachment(of: .apple, subject: subject, in: project),
          try transaction.detachment(of: .google, subject: subject, in: Sample.second),
        ]
      }
      #expect(times == [later, nil, nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a name is stored for its subject, and a newer one replaces it`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let subject = try Sample.subject("alice")
      let name = ArrivedName(provider: .apple, subject: subject, displayName: "Ada")
      let full = ArrivedName(
        provider: .apple, subject: subject, displayName: "Ada L", firstName: "Ada", lastName: "L")
      let found = try await store.write { transaction in
        let look = {
          [
            try transaction.arrivedName(of: .apple, subject: subject, in: project, now: Sample.now),
            try transaction.arrivedName(
              of: .google, subject: subject, in: project, now: Sample.now),
            try transaction.arrivedName(
              of: .apple, subject: subject, in: Sample.second, now: Sample.now),
          ]
        }
        var found: [[ArrivedName?]] = []
        for name in [name, full] {
          try transaction.save(name, in: project, keptUntil: .distantFuture, limit: 10)
          found.append(try look())
        }
        try transaction.deleteArrivedName(of: .apple, subject: subject, in: project)
        found.append(try look())
        return found
      }
      #expect(found == [[name, nil, nil], [full, nil, nil], [nil, nil, nil]])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a project keeps the names with the latest expiry`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let texts = ["alice", "bob", "carl", "dora"]
      let kept = try await store.write { transaction in
        for (index, project) in try [Sample.first, Sample.second, Sample.first].enumerated() {
          for (place, text) in texts.enumerated() where (place == 0) == (index < 2) {
            try transaction.save(
              ArrivedName(
                provider: .apple, subject: Sample.subject(text), displayName: text),
              in: project, keptUntil: Sample.now.addingTimeInterval(Double(place)), limit: 2)
          }
        }
        return try [Sample.first, Sample.second].map { project in
          try texts.filter {
            try transaction.arrivedName(
              of: .apple, subject: Sample.subject($0), in: project, now: .distantPast) != nil
          }
        }
      }
      #expect(kept == [["carl", "dora"], ["alice"]])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `sweeping removes expired records, up to its limit`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let subject = try Sample.subject("alice")
      let (now, earlier) = (Sample.now, Sample.now.addingTimeInterval(-1))
      let (counts, kept, isGone) = try await store.write { transaction in
        for byte in 0..<3 as Range<UInt8> {
          _ = try transaction.spend(Sample.token(byte, expiresAt: earlier), in: project)
        }
        _ = try transaction.spend(Sample.token(9, expiresAt: now), in: project)
        try transaction.recordDetachment(
          of: .google, subject: subject, in: project, at: earlier, keptUntil: earlier)
        try transaction.save(
          ArrivedName(provider: .apple, subject: subject, displayName: "Ada"), in: project,
          keptUntil: earlier, limit: 10)
        let counts = try [2, 10, 10].map {
          try transaction.sweepOneTimeRecords(now: now, limit: $0)
        }
        return (
          counts, try transaction.spend(Sample.token(9), in: project),
          try transaction.detachment(of: .google, subject: subject, in: project) == nil
            && transaction.arrivedName(of: .apple, subject: subject, in: project, now: Sample.now)
              == nil
        )
      }
      #expect(counts == [2, 3, 0])
      #expect(!kept)
      #expect(isGone)
    }
  }
}
