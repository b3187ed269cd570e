import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// The limits on text messages.
@Suite struct MessageLimitTests {
  private func client(_ text: String) throws -> ClientAddress {
    ClientAddress(try #require(IPAddress(text)))
  }

  /// Numbers that have only the country code in common.
  private func numbers(_ count: Int) -> [String] { (0..<count).map { "+1555\(100 + $0)0000" } }

  @Test func `one number gets five messages an hour`() async throws {
    try await withWorld({ $0.phone.messagesPerNumber = 5 }) { world in
      for _ in 0..<5 { _ = try await world.sent() }
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.sent() }
      _ = try await world.sent(to: World.bob)
      world.advance(3599)
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.sent() }
      world.advance(2)
      _ = try await world.sent()
      #expect(world.telephones.count == 7)
    }
  }

  @Test func `numbers that differ in their last four digits share a limit`() async throws {
    try await withWorld({ $0.phone.messagesPerRange = 3 }) { world in
      for last in ["0100", "0101", "9999"] { _ = try await world.sent(to: "+1555555" + last) }
      await #expect(throws: AccountsError.messageQuotaExceeded) {
        try await world.sent(to: "+15555555555")
      }
      _ = try await world.sent(to: "+15555565555")
    }
  }

  @Test func `one client may request a number of messages an hour, to any numbers`() async throws {
    try await withWorld({ $0.phone.messagesPerAddress = 3 }) { world in
      let client = try client("192.0.2.1")
      let numbers = numbers(4)
      for number in numbers.prefix(3) { _ = try await world.sent(to: number, from: client) }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.sent(to: numbers[3], from: client)
      }
      _ = try await world.sent(to: numbers[3], from: try self.client("192.0.2.2"))
    }
  }

  @Test func `requests for numbers of other regions are counted too`() async throws {
    try await withWorld({
      $0.phone.allowedPrefixes = ["+49"]
      $0.rateLimits.codesPerAddress = 3
    }) { world in
      let client = try client("192.0.2.1")
      let numbers = numbers(4)
      for number in numbers.prefix(3) {
        await #expect(throws: AccountsError.phoneRegionDisabled) {
          try await world.sent(to: number, from: client)
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.sent(to: numbers[3], from: client)
      }
    }
  }

  @Test func `a project has a limit for a day`() async throws {
    try await withWorld({ $0.phone.messagesPerDay = 4 }) { world in
      let numbers = numbers(6)
      for (index, number) in numbers.prefix(4).enumerated() {
        _ = try await world.sent(to: number, from: try client("192.0.2.\(index + 1)"))
      }
      let other = try await world.otherProject()
      _ = try await world.sent(to: numbers[4], in: other)
      await #expect(throws: AccountsError.messageQuotaExceeded) {
        try await world.sent(to: numbers[4])
      }
      world.advance(86_399)
      await #expect(throws: AccountsError.messageQuotaExceeded) {
        try await world.sent(to: numbers[4])
      }
      world.advance(2)
      _ = try await world.sent(to: numbers[4])
    }
  }

  @Test func `the limit for a day is exact with concurrent requests`() async throws {
    try await withWorld({ $0.phone.messagesPerDay = 5 }) { world in
      let numbers = numbers(20)
      let results = await atOnce(20) { try await world.sent(to: numbers[$0]).sessionInfo }
      #expect(results.successes().count == 5)
      #expect(world.telephones.count == 5)
    }
  }

  @Test func `a refused request doesn't count for other limits`() async throws {
    try await withWorld({
      $0.phone.messagesPerNumber = 1
      $0.phone.messagesPerDay = 2
    }) { world in
      _ = try await world.sent()
      for _ in 0..<10 {
        await #expect(throws: AccountsError.tooManyAttempts) { try await world.sent() }
      }
      _ = try await world.sent(to: World.bob)
    }
  }

  @Test(arguments: [true, false])
  func `a message that certainly was not sent leaves the project's messages to other users`(
    _ isUnsent: Bool
  ) async throws {
    try await withWorld({
      $0.phone.messagesPerDay = 3
      $0.phone.messagesPerRange = 3
    }) { world in
      _ = try await world.sent(to: "+15555550001")
      world.telephones.fail(PhoneCodeUndelivered(isUnsent: isUnsent))
      for number in ["+15555550002", "+15555550003"] {
        await #expect(throws: AccountsError.messageNotDelivered) {
          try await world.sent(to: number)
        }
      }
      world.telephones.fail(nil)
      // The third message of the range and the project, or the fifth.
      for number in ["+15555550004", "+15555550005"] {
        if isUnsent {
          _ = try await world.sent(to: number)
        } else {
          await #expect(throws: AccountsError.messageQuotaExceeded) {
            try await world.sent(to: number)
          }
        }
      }
      await #expect(throws: AccountsError.messageQuotaExceeded) {
        try await world.sent(to: "+15555550006")
      }
    }
  }

  @Test func `a message that certainly was not sent counts for its number and client`() async throws
  {
    try await withWorld({
      $0.phone.messagesPerNumber = 1
      $0.phone.messagesPerAddress = 2
    }) { world in
      let numbers = numbers(3)
      let client = try client("192.0.2.1")
      world.telephones.fail(PhoneCodeUndelivered(isUnsent: true))
      for number in numbers.prefix(2) {
        await #expect(throws: AccountsError.messageNotDelivered) {
          try await world.sent(to: number, from: client)
        }
      }
      world.telephones.fail(nil)
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.sent(to: numbers[0], from: try self.client("192.0.2.2"))
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.sent(to: numbers[2], from: client)
      }
    }
  }

  private static let prefix = "is not + and the first digits of numbers"
  private static let form = "is not a number in the form +15555550100"

  static let faults: [(@Sendable (inout PhonePolicy) -> Void, String)] = [
    ({ $0.allowedPrefixes = ["49"] }, "allowedPrefixes: “49” \(prefix)"),
    ({ $0.allowedPrefixes = ["+0"] }, "allowedPrefixes: “+0” \(prefix)"),
    ({ $0.messagesPerDay = 0 }, "messagesPerDay: 0 is not from 1 to 1000000"),
    ({ $0.testNumbers = ["5555550100": "123456"] }, "testNumbers: “5555550100” \(form)"),
    (
      { $0.testNumbers = ["+1 555 555 0100": "123456"] }, "testNumbers: “+1 555 555 0100” \(form)"
    ),
    (
      { $0.testNumbers = ["+15555550100": "12345"] },
      "testNumbers: the code of +15555550100 is not 6 digits"
    ),
    (
      { policy in
        for index in 0..<11 { policy.testNumbers["+155555501\(10 + index)"] = "123456" }
      }, "testNumbers: 11 values, more than 10"
    ),
  ]

  @Test(arguments: faults.indices) func `the policy out of bounds is named`(_ index: Int) {
    var policies = ProjectPolicies()
    #expect(policies.fault == nil)
    Self.faults[index].0(&policies.phone)
    #expect(policies.fault == "phone." + Self.faults[index].1)
  }

  @Test func `by default phone sign-in is off, and no prefix is allowed`() {
    let policy = ProjectPolicies().phone
    #expect(!policy.isEnabled)
    #expect(policy.allowedPrefixes.isEmpty)
    #expect(policy.messagesPerDay == 1000)
  }
}
