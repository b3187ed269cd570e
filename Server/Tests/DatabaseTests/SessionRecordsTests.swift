import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct SessionRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `a session is read with every value`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      var session = try Sample.session(1, of: "alice")
      session.signInAttributes = SignInAttributes(written: #"{"department":"north"}"#)
      session.rotation = .max
      session.rotatedAt = (0..<4).map { Sample.now.addingTimeInterval(-Double($0) - 0.25) }
      session.ended = Sample.ending(.reuse)
      let saved = session
      try await store.write { try $0.insert(saved, in: project) }
      let found = try await store.read { try $0.session(saved.id, in: project) }
      #expect(found == saved)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an update replaces the values that may change`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let before = try Sample.session(1, of: "alice")
      var after = before
      after.provider = .apple
      after.signInAttributes = SignInAttributes(written: "{}")
      after.authenticatedAt = Sample.now.addingTimeInterval(1)
      after.lastUsedAt = Sample.now.addingTimeInterval(2)
      after.rotation = 1
      after.rotatedAt = [Sample.now.addingTimeInterval(2)]
      let saved = after
      try await store.write { transaction in
        try transaction.insert(before, in: project)
        try transaction.update(saved, in: project)
        try transaction.update(Sample.session(2, of: "alice"), in: project)
      }
      let found = try await store.read { transaction in
        [
          try transaction.session(saved.id, in: project),
          try transaction.session(SessionID(high: .max, low: 2), in: project),
        ]
      }
      #expect(found == [saved, nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a session id is unique`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let session = try Sample.session(1, of: "alice")
      try await store.write { try $0.insert(session, in: project) }
      await #expect(throws: StoreError.conflict(.other)) {
        try await store.write { try $0.insert(session, in: project) }
      }
    }
  }

  @Test(arguments: StoreFactory.all)
  func `live sessions that began at or before the limit end`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let limit = Sample.now
      let endings = try await store.write { transaction -> [Session.Ending?] in
        let times = [limit.addingTimeInterval(-1), limit, limit.addingTimeInterval(0.001)]
        for (index, time) in times.enumerated() {
          try transaction.insert(
            Sample.session(UInt64(index), of: "alice", at: time), in: project)
        }
        var ended = try Sample.session(3, of: "alice", at: limit)
        ended.ended = Sample.ending(.reuse)
        try transaction.insert(ended, in: project)
        try transaction.insert(Sample.session(4, of: "bob", at: limit), in: project)
        try transaction.endSessions(
          of: Sample.uid("alice"), in: project, startedAtOrBefore: limit, ending: Sample.ending())
        return try (0..<5).map {
          try transaction.session(SessionID(high: .max, low: $0), in: project)?.ended
        }
      }
      #expect(endings == [Sample.ending(), Sample.ending(), nil, Sample.ending(.reuse), nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `without a limit all of an account's sessions end`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let session = try Sample.session(1, of: "alice", at: .distantFuture)
      let ended = try await store.write { transaction in
        try transaction.insert(session, in: project)
        try transaction.endSessions(
          of: session.uid, in: project, startedAtOrBefore: nil, ending: Sample.ending())
        return try transaction.session(session.id, in: project)?.ended
      }
      #expect(ended == Sample.ending())
    }
  }

  @Test(arguments: StoreFactory.all)
  func `trimming removes the least recently used sessions beyond the count`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let living = try await store.write { transaction -> [Bool] in
        for (index, use) in [5.0, 1, 4, 2, 3].enumerated() {
          var session = try Sample.session(UInt64(index), of: "alice")
          session.lastUsedAt = Sample.now.addingTimeInterval(use)
          try transaction.insert(session, in: project)
        }
        try transaction.trimSessions(of: Sample.uid("alice"), in: project, keeping: 5)
        try transaction.trimSessions(of: Sample.uid("alice"), in: project, keeping: 2)
        return try (0..<5).map {
          try transaction.session(SessionID(high: .max, low: $0), in: project) != nil
        }
      }
      #expect(living == [true, false, true, false, false])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an account's live sessions are counted, all or since a time`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let uid = try Sample.uid("alice")
      let counts = try await store.write { transaction -> [Int] in
        for number in 0..<4 as Range<UInt64> {
          var session = try Sample.session(
            number, of: "alice", at: Sample.now.addingTimeInterval(Double(number)))
          if number == 3 { session.ended = Sample.ending() }
          try transaction.insert(session, in: project)
        }
        try transaction.insert(Sample.session(4, of: "bob"), in: project)
        return [
          try transaction.countLiveSessions(of: uid, onDevice: [], in: project).all,
          try transaction.countLiveSessions(of: uid, startedAfter: Sample.now, in: project),
          try transaction.countLiveSessions(of: uid, onDevice: [], in: Sample.second).all,
        ]
      }
      #expect(counts == [3, 2, 0])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a session that began with a provider after a time is found, also after its end`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let (limit, later) = (Sample.now, Sample.now.addingTimeInterval(0.001))
      let found = try await store.write { transaction -> [String] in
        func insert(
          _ number: UInt64, of name: String, at time: Date,
          ended reason: Session.Ending.Reason? = nil, by provider: ProviderID = .google,
          in project: ProjectID
        ) throws {
          var session = try Sample.session(number, of: name, at: time)
          session.provider = provider
          session.ended = reason.map { Sample.ending($0) }
          try transaction.insert(session, in: project)
        }
        try insert(0, of: "live", at: later, in: first)
        try insert(1, of: "revoked", at: later, ended: .revoked, in: first)
        try insert(2, of: "reused", at: later, ended: .reuse, in: first)
        try insert(3, of: "deleted", at: later, ended: .accountDeleted, in: first)
        try insert(4, of: "older", at: limit, in: first)
        try insert(5, of: "olderEnded", at: limit, ended: .revoked, in: first)
        try insert(6, of: "apple", at: later, by: .apple, in: first)
        try insert(7, of: "appleEnded", at: later, ended: .revoked, by: .apple, in: first)
        try insert(8, of: "elsewhere", at: later, in: second)
        try insert(9, of: "elsewhereEnded", at: later, ended: .revoked, in: second)
        let names = [
          "live", "revoked", "reused", "deleted", "older", "olderEnded", "apple", "appleEnded",
          "elsewhere", "elsewhereEnded",
        ]
        return try names.filter {
          try transaction.hasSession(
            of: Sample.uid($0), startedAfter: limit, by: .google, in: first)
        }
      }
      #expect(found == ["live", "revoked", "reused"])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a session keeps its device until it ends, whatever an update says`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let uid = try Sample.uid("alice")
      let device = SessionDevice(
        userAgent: "Example/1 (é)", app: "com.example.app", address: "192.0.2.1")
      var session = try Sample.session(1, of: "alice")
      session.device = device
      var changed = session
      changed.lastUsedAt += 5
      changed.device = SessionDevice(userAgent: "other")
      try await store.write { [session, changed] transaction in
        try transaction.insert(session, in: project)
        try transaction.insert(Sample.session(2, of: "alice"), in: project)
        try transaction.update(changed, in: project)
        let isNamed = try transaction.nameDevice(of: session.id, uid, "My phone", in: project)
        let isOthers = try transaction.nameDevice(
          of: session.id, Sample.uid("bob"), "theirs", in: project)
        #expect(isNamed && !isOthers)
      }
      var named = changed
      named.device = device
      named.device?.name = "My phone"
      let stored = try await store.read { [session] in try $0.session(session.id, in: project) }
      #expect(stored == named)
      let counts = try await store.read {
        try $0.countLiveSessions(of: uid, onDevice: device.digest, in: project)
      }
      #expect(counts == (2, 1))
      try await store.write {
        try $0.endSessions(of: uid, in: project, startedAtOrBefore: nil, ending: Sample.ending())
      }
      let ended = try await store.read { [session] in try $0.session(session.id, in: project) }
      #expect(ended?.ended != nil)
      #expect(ended?.device == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `sweeping keeps the sessions of deleted accounts for longer`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let earlier = Sample.now.addingTimeInterval(-1)
      let rest = try await store.write { transaction -> [Bool] in
        for (number, reason) in Session.Ending.Reason.allCases.enumerated() {
          var session = try Sample.session(
            UInt64(number), of: "alice", at: .distantFuture)
          session.ended = .init(at: earlier, reason: reason)
          try transaction.insert(session, in: project)
        }
        _ = try transaction.sweepSessions(
          deletedBefore: .distantPast, endedBefore: Sample.now, idleSince: .distantPast, limit: 10)
        return try Session.Ending.Reason.allCases.indices.map {
          try transaction.session(SessionID(high: .max, low: UInt64($0)), in: project) != nil
        }
      }
      #expect(rest == Session.Ending.Reason.allCases.map { $0 == .accountDeleted })
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a session that was unused for long is swept while it is live, and kept as a tombstone`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let (now, longAgo) = (Sample.now, Sample.now.addingTimeInterval(-400 * 86_400))
      let rest = try await store.write { transaction -> [Bool] in
        let live = try Sample.session(0, of: "alice", at: longAgo)
        var tombstone = try Sample.session(1, of: "bob", at: longAgo)
        tombstone.ended = .init(at: now, reason: .accountDeleted)
        for session in [live, tombstone] { try transaction.insert(session, in: project) }
        _ = try transaction.sweepSessions(
          deletedBefore: longAgo, endedBefore: longAgo, idleSince: now, limit: 10)
        return try [live, tombstone].map {
          try transaction.session($0.id, in: project) != nil
        }
      }
      #expect(rest == [false, true])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `sweeping removes sessions that ended or were unused long enough, up to its limit`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let (now, earlier) = (Sample.now, Sample.now.addingTimeInterval(-1))
      let (counts, rest) = try await store.write { transaction -> ([Int], [Bool]) in
        for number in 0..<3 as Range<UInt64> {
          var session = try Sample.session(number, of: "alice")
          session.ended = .init(at: number == 2 ? now : earlier, reason: .revoked)
          try transaction.insert(session, in: number == 0 ? first : second)
        }
        try transaction.insert(Sample.session(3, of: "alice", at: earlier), in: first)
        try transaction.insert(Sample.session(4, of: "alice", at: now), in: first)
        let counts = try [2, 2, 2].map {
          try transaction.sweepSessions(
            deletedBefore: now, endedBefore: now, idleSince: now, limit: $0)
        }
        let rest = try (0..<5 as Range<UInt64>).map { number in
          let id = SessionID(high: .max, low: number)
          return try transaction.session(id, in: first) != nil
            || transaction.session(id, in: second) != nil
        }
        return (counts, rest)
      }
      #expect(counts == [2, 1, 0])
      #expect(rest == [false, false, true, false, true])
    }
  }
}
