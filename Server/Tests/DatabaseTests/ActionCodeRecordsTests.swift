import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ActionCodeRecordsTests {
  private static let ann = "ann@example.com"

  private func code(
    _ byte: UInt8, _ purpose: ActionCode.Purpose = .passwordReset, of uid: String? = "ann",
    newEmail: String? = nil, isVoid: Bool = false, at time: Date = Sample.now,
    session: VerificationSession? = nil, link: String? = nil
  ) throws -> ActionCode {
    ActionCode(
      digest: Array(repeating: byte, count: 32), purpose: purpose,
      uid: try uid.map { try Sample.uid($0) },
      email: try #require(EmailAddress(Self.ann)),
      newEmail: try newEmail.map { try #require(EmailAddress($0)) }, isVoid: isVoid,
      createdAt: time, expiresAt: time.addingTimeInterval(60), session: session,
      link: link.map { Secret($0) })
  }

  private func digest(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }

  @Test(arguments: StoreFactory.all)
  func `a code is read as it was written, only in its project`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let full = try code(
        1, .emailChange, newEmail: "new@example.com",
        session: VerificationSession(digest: digest(7), codeDigest: digest(8), tries: 2),
        link: "https://x/?oobCode=c")
      let bare = try code(2, .emailSignIn, of: nil, isVoid: true)
      let found = try await store.write { transaction in
        try transaction.insert(full, in: first)
        try transaction.insert(bare, in: first)
        return [
          try transaction.actionCode(digest: digest(1), in: first),
          try transaction.actionCode(digest: digest(2), in: first),
          try transaction.actionCode(digest: digest(1), in: second),
          try transaction.actionCode(digest: digest(3), in: first),
        ]
      }
      #expect(contents(found) == contents([full, bare, nil, nil]))
      #expect(found[0]?.link?.reveal() == "https://x/?oobCode=c")
      #expect(found[0]?.recipient.text == "new@example.com")
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a code is found by its session, and its tries are stored`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let session = VerificationSession(digest: digest(7), codeDigest: digest(8), tries: 2)
      let codes = [try code(1, session: session), try code(2), try code(3)]
      let found = try await store.write { transaction in
        for code in codes { try transaction.insert(code, in: first) }
        try transaction.insert(codes[0], in: second)
        try transaction.setTries(4, ofActionCode: digest(7), in: first)
        return [
          try transaction.actionCode(session: digest(7), in: first),
          try transaction.actionCode(session: digest(7), in: second),
          try transaction.actionCode(session: digest(1), in: first),
        ]
      }
      #expect(found.map { $0?.digest } == [digest(1), digest(1), nil])
      #expect(found.map { $0?.session?.codeDigest } == [digest(8), digest(8), nil])
      #expect(found.map { $0?.session?.tries } == [4, 2, nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `codes of a purpose are voided by address or by account, and stay counted`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let uid = try Sample.uid("ann")
      let email = try #require(EmailAddress(Self.ann))
      let codes = [
        try code(1), try code(2, .emailVerification), try code(3, .emailChange, newEmail: "n@x.y"),
        try code(4, .emailChange, of: "bob", newEmail: "n@x.y"),
      ]
      let (void, count) = try await store.write { transaction in
        for code in codes {
          try transaction.insert(code, in: first)
          try transaction.insert(code, in: second)
        }
        try transaction.voidActionCodes(to: email, for: .passwordReset, in: first)
        try transaction.voidActionCodes(of: uid, for: .emailChange, in: first)
        return (
          try [first, second].flatMap { project in
            try (1...4).map { byte in
              try transaction.actionCode(digest: digest(UInt8(byte)), in: project)?.isVoid
            }
          },
          try transaction.countActionCodes(
            to: email, for: .passwordReset, now: Sample.now, in: first)
        )
      }
      #expect(void == [true, false, true, false, false, false, false, false])
      #expect(count == 1)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `codes of a purpose are released from their account, only in its project`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let codes = [try code(1), try code(2, .emailVerification), try code(3, of: "bob")]
      let owners = try await store.write { transaction in
        for code in codes {
          try transaction.insert(code, in: first)
          try transaction.insert(code, in: second)
        }
        try transaction.releaseActionCodes(
          of: try Sample.uid("ann"), for: .passwordReset, in: first)
        try transaction.deleteActionCodes(
          of: try Sample.uid("ann"), for: .passwordReset, since: nil, in: first)
        return try [first, second].flatMap { project in
          try (1...3).map { byte in
            try transaction.actionCode(digest: digest(UInt8(byte)), in: project).map {
              $0.uid?.text ?? "nobody"
            }
          }
        }
      }
      #expect(owners == ["nobody", "ann", "bob", "ann", "ann", "bob"])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `of an address's released codes only the last one stays`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let first = try Sample.first
      let email = try #require(EmailAddress(Self.ann))
      let (stay, count) = try await store.write { transaction in
        // For nobody, as for an unknown address.
        try transaction.insert(try code(1, of: nil, isVoid: true), in: first)
        for byte: UInt8 in [2, 4, 6] {
          try transaction.insert(try code(byte, isVoid: true), in: first)
          try transaction.insert(try code(byte + 1), in: first)
          try transaction.releaseActionCodes(
            of: try Sample.uid("ann"), for: .passwordReset, in: first)
        }
        return (
          try (1...7).filter { byte in
            try transaction.actionCode(digest: digest(UInt8(byte)), in: first) != nil
          },
          try transaction.countActionCodes(
            to: email, for: .passwordReset, now: Sample.now, in: first)
        )
      }
      #expect(stay == [1, 7])
      #expect(count == 2)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `live codes are counted by address and by account`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let uid = try Sample.uid("ann")
      let email = try #require(EmailAddress(Self.ann))
      let (codes, later) = (
        [
          try code(1), try code(2), try code(3, of: nil),
          try code(4, at: Sample.now.addingTimeInterval(-60)), try code(5, .emailVerification),
          try code(6, .emailChange, newEmail: "new@example.com"),
        ], Sample.now.addingTimeInterval(60)
      )
      let counts = try await store.write { transaction in
        for code in codes { try transaction.insert(code, in: project) }
        return [
          try transaction.countActionCodes(
            to: email, for: .passwordReset, now: Sample.now, in: project),
          try transaction.countActionCodes(
            of: uid, for: .passwordReset, now: Sample.now, in: project),
          try transaction.countActionCodes(
            to: email, for: .emailChange, now: Sample.now, in: project),
          try transaction.countActionCodes(of: uid, for: .passwordReset, now: later, in: project),
          try transaction.countActionCodes(
            of: uid, for: .passwordReset, now: Sample.now, in: Sample.second),
        ]
      }
      #expect(counts == [3, 2, 0, 0, 0])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `codes are deleted by address, by account and by age`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let uid = try Sample.uid("ann")
      let email = try #require(EmailAddress(Self.ann))
      let later = Sample.now.addingTimeInterval(1)
      let codes = [
        try code(1, .emailRecovery), try code(2, .emailRecovery, at: later),
        try code(3, .emailSignIn, of: nil), try code(4), try code(5, of: "bob"),
      ]
      let left = try await store.write { transaction in
        for code in codes { try transaction.insert(code, in: project) }
        try transaction.deleteActionCodes(
          of: uid, for: .emailRecovery, since: later, in: project)
        try transaction.deleteActionCodes(of: uid, for: .passwordReset, since: nil, in: project)
        try transaction.deleteActionCodes(to: email, for: .emailSignIn, in: project)
        try transaction.deleteActionCodes(
          of: Sample.uid("bob"), for: .passwordReset, since: nil, in: Sample.second)
        return try transaction.actionCodes(limit: 10, in: project).map(\.digest)
      }
      #expect(left == [digest(1), digest(5)])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `lists begin with the oldest code, and sweeping has a limit`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let codes = try (1...4).map { number in
        try code(UInt8(number), at: Sample.now.addingTimeInterval(Double(-number * 100)))
      }
      let (listed, counts) = try await store.write { transaction in
        for code in codes { try transaction.insert(code, in: project) }
        let listed = try transaction.actionCodes(limit: 2, in: project).map(\.digest)
        let counts = try [2, 10, 10].map {
          try transaction.sweepActionCodes(
            expiredBefore: Sample.now.addingTimeInterval(-100), limit: $0)
        }
        return (listed, counts)
      }
      #expect(listed == [digest(1), digest(2)])
      #expect(counts == [2, 1, 0])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a code can be stored only once`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let first = try code(1)
      await #expect(throws: StoreError.conflict(.other)) {
        try await store.write { transaction in
          try transaction.insert(first, in: project)
          try transaction.insert(first, in: project)
        }
      }
    }
  }
}
