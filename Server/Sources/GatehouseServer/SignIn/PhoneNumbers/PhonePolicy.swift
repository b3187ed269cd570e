import GatehouseProtocol

/// A project's policy for phone numbers.
///
/// Stored with the project's policies: a key that is missing in a stored document gets its default.
/// Text messages cost money, and the owners of some numbers earn money by each message (toll fraud).
/// So nothing is sent by default: the allowed prefixes must be set first. Every limit has a default.
package struct PhonePolicy: Hashable, Sendable, Codable {
  /// Whether users can sign in and link with a code that is sent to their number. Off, as in
  /// Firebase.
  package var isEnabled = false
  /// Prefixes of the numbers to which codes are sent, such as `+49` or `+4477`. Empty: codes are sent
  /// to no number. `+`: to all numbers.
  package var allowedPrefixes: [String] = []
  /// Numbers with a fixed code, to which nothing is sent: for reviewers and tests. The key is the
  /// number, the value its code.
  package var testNumbers: [String: String] = [:]
  /// Messages to one number in one hour.
  package var messagesPerNumber = 5
  /// Messages in one hour to numbers that differ only in their last four digits.
  package var messagesPerRange = 30
  /// Messages in one hour that one client address requests.
  package var messagesPerAddress = 20
  /// Messages of the whole project in the 24 hours that begin with the first message.
  package var messagesPerDay = 1000
  /// Wrong codes for one number in one hour. All codes that were sent to the number count together.
  package var wrongCodesPerNumber = 10

  /// The maximum number of a project's test numbers, as in Identity Platform.
  package static let maximumTestNumbers = 10
  package static let maximumPrefixes = 250
  /// The allowed values of a limit.
  package static let range = 1...1_000_000

  package init() {}

  /// For `--dev`, where codes are shown and not sent. The limits are too high to hinder tests.
  package static var development: PhonePolicy {
    var policy = PhonePolicy()
    policy.isEnabled = true
    policy.allowedPrefixes = ["+"]
    policy.messagesPerNumber = 1_000_000
    policy.messagesPerRange = 1_000_000
    policy.messagesPerAddress = 1_000_000
    policy.messagesPerDay = 1_000_000
    policy.wrongCodesPerNumber = 10_000
    return policy
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    isEnabled = try values.value(.isEnabled, or: isEnabled)
    allowedPrefixes = try values.value(.allowedPrefixes, or: allowedPrefixes)
    testNumbers = try values.value(.testNumbers, or: testNumbers)
    messagesPerNumber = try values.value(.messagesPerNumber, or: messagesPerNumber)
    messagesPerRange = try values.value(.messagesPerRange, or: messagesPerRange)
    messagesPerAddress = try values.value(.messagesPerAddress, or: messagesPerAddress)
    messagesPerDay = try values.value(.messagesPerDay, or: messagesPerDay)
    wrongCodesPerNumber = try values.value(.wrongCodesPerNumber, or: wrongCodesPerNumber)
  }

  /// Whether codes are sent to the number.
  func allows(_ number: PhoneNumber) -> Bool {
    allowedPrefixes.contains { number.text.utf8.starts(with: $0.utf8) }
  }

  /// The fixed code of a test number; nil for any other.
  func testCode(of number: PhoneNumber) -> String? {
    testNumbers.first { $0.key.hasSameBytes(as: number.text) }?.value
  }

  /// Whether the text is `+`, or `+` and 1 to 15 digits of which the first isn't 0.
  package static func isPrefix(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: "+") && digits.count <= PhoneNumber.digits.upperBound
      && digits.first != UInt8(ascii: "0") && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// A message about the first value out of bounds, for the administrator who set it; nil if there
  /// is none.
  package var fault: String? {
    if let broken = allowedPrefixes.first(where: { !Self.isPrefix($0) }) {
      return "allowedPrefixes: “\(broken)” is not + and the first digits of numbers"
    }
    if allowedPrefixes.count > Self.maximumPrefixes {
      return "allowedPrefixes: \(allowedPrefixes.count) values, more than \(Self.maximumPrefixes)"
    }
    if testNumbers.count > Self.maximumTestNumbers {
      return "testNumbers: \(testNumbers.count) values, more than \(Self.maximumTestNumbers)"
    }
    for (number, code) in testNumbers.sorted(by: { $0.key < $1.key }) {
      guard PhoneNumber(number)?.text.hasSameBytes(as: number) == true else {
        return "testNumbers: “\(number)” is not a number in the form +15555550100"
      }
      guard VerificationCode(code) != nil else {
        return "testNumbers: the code of \(number) is not \(VerificationCode.digits) digits"
      }
    }
    let limits = [
      ("messagesPerNumber", messagesPerNumber), ("messagesPerRange", messagesPerRange),
      ("messagesPerAddress", messagesPerAddress), ("messagesPerDay", messagesPerDay),
      ("wrongCodesPerNumber", wrongCodesPerNumber),
    ]
    return limits.first { !Self.range.contains($0.1) }.map { name, value in
      "\(name): \(value) is not from \(Self.range.lowerBound) to \(Self.range.upperBound)"
    }
  }
}
