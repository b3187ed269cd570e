import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct PhoneVerificationRecordsTests {
  private func verification(
    _ byte: UInt8, tries: Int = 0, isTest: Bool = false, at time: Date = Sample.now,
    revealed: PhoneVerification.Revealed? = nil
  ) throws -> PhoneVerification {
    PhoneVerification(
      session: VerificationSession(
        digest: digest(byte), codeDigest: digest(byte &+ 1), tries: tries),
      phoneNumber: try #require(PhoneNumber("+15555550100")), isTest: isTest,
      createdAt: time, expiresAt: time.addingTimeInterval(600), revealed: revealed)
  }

  private func digest(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }

  @Test(arguments: StoreFactory.all)
  func `a session is read as it was written, only in its project`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let full = try verification(
        1, tries: 3, isTest: true,
        revealed: .init(sessionInfo: Secret("session"), code: Secret("123456")))
      let bare = try verification(2)
      let found = try await store.write { transaction in
        try transaction.insert(full, in: first)
        try transaction.insert(bare, in: first)
        return [
          try transaction.phoneVerification(digest: digest(1), in: first),
          try transaction.phoneVerification(digest: digest(2), in: first),
          try transaction.phoneVerification(digest: digest(1), in: second),
        ]
      }
      #expect(contents(found) == contents([full, bare, nil]))
      #expect(found[0]?.revealed?.sessionInfo.reveal() == "session")
      #expect(found[0]?.revealed?.code.reveal() == "123456")
    }
  }

  @Test(arguments: StoreFactory.all)
  func `tries are stored, and a used session is deleted`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let records = [try verification(1), try verification(2)]
      let tries = try await store.write { transaction in
        for project in [first, second] {
          for record in records { try transaction.insert(record, in: project) }
        }
        try transaction.setTries(4, ofPhoneVerification: digest(1), in: first)
        try transaction.deletePhoneVerification(digest: digest(2), in: first)
        return try [first, second].map { project in
          try transaction.phoneVerifications(limit: 10, in: project).map(\.session.tries)
        }
      }
      #expect(tries == [[4], [0, 0]])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `expired sessions are swept, up to the limit`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let records = try (0..<5).map {
        try verification(UInt8($0), at: Sample.now.addingTimeInterval(Double($0)))
      }
      let (swept, left) = try await store.write { transaction in
        for record in records { try transaction.insert(record, in: project) }
        let before = Sample.now.addingTimeInterval(603)
        return (
          try (0..<3).map { _ in
            try transaction.sweepPhoneVerifications(expiredBefore: before, limit: 2)
          },
          try transaction.phoneVerifications(limit: 10, in: project).map(\.session.digest)
        )
      }
      #expect(swept == [2, 1, 0])
      #expect(left == [digest(3), digest(4)])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a project's webhook is stored, replaced and removed`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let secret = WebhookSecret.random()
      let other = WebhookSecret.random()
      let seen = try await store.write { transaction -> [String?] in
        try transaction.save(CodeWebhook(url: "https://one.example", secret: other), of: first)
        try transaction.save(CodeWebhook(url: "https://two.example", secret: secret), of: first)
        var seen = try [first, second].map { project in
          try transaction.codeWebhook(of: project).map {
            "\($0.url) \($0.secret.text.reveal())"
          }
        }
        let isRemoved = try transaction.deleteCodeWebhook(of: first)
        let isRemovedAgain = try transaction.deleteCodeWebhook(of: first)
        seen.append("\(isRemoved) \(isRemovedAgain)")
        seen.append(try transaction.codeWebhook(of: first)?.url)
        return seen
      }
      #expect(seen == ["https://two.example \(secret.text.reveal())", nil, "true false", nil])
    }
  }
}
