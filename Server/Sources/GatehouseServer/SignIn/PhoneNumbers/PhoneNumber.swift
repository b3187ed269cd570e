import GatehouseProtocol

/// A telephone number in the one form in which it is stored, compared and sent to: `+`, the country
/// calling code and the subscriber's number, only digits (E.164).
package struct PhoneNumber: ByteExact {
  /// How many digits a number has. E.164 allows 15. The shortest numbers, of small islands, have 7
  /// with the country calling code.
  package static let digits = 7...15

  /// `+15555550100`.
  package let text: String

  /// Removes spaces, hyphens, dots and parentheses, which people write in numbers, and the zero that
  /// is dialled only inside a country: `+44 (0)20 7946 0958` is `+442079460958`. The zero stays in
  /// the few countries where it is part of the number, such as Italy.
  ///
  /// A text that may contain a typing error is refused, because what remains of it could be the number
  /// of another person: letters (`+1error` has the keys of `+132767`), an extension (`ext. 7`), a zero
  /// in a country that never dials one, and more or fewer digits than the numbering plan has, if
  /// `NumberingPlan` knows the count.
  ///
  /// Doesn't check that the number exists. Returns nil also if the text has more than 64 bytes, lacks the
  /// `+`, if the country calling code begins with 0, or if the number of digits isn't in ``digits``.
  package init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let bytes = text.utf8.filter { !" -.()".utf8.contains($0) }
    guard bytes.first == UInt8(ascii: "+"),
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
      let number = NumberingPlan.international(bytes.dropFirst()),
      Self.digits.contains(number.count)
    else { return nil }
    self.text = "+" + String(decoding: number, as: UTF8.self)
  }

  /// A number that was checked when it was stored. The plan of its country may have changed since.
  init(stored text: String) { self.text = text }

  /// The number without its last four digits. The 10,000 numbers that begin with it are usually
  /// assigned together.
  package var range: String { String(text.dropLast(4)) }
}

/// What the numbering plans of the countries say about a zero after the country calling code, and about
/// the number of digits after it. From the ITU's list of country calling codes (E.164) and the plans
/// that the ITU publishes.
enum NumberingPlan {
  /// The digits as they are dialled from abroad.
  ///
  /// - Parameter digits: The country calling code, and the number as a person wrote it.
  /// - Returns: nil if the plan has no such number.
  static func international(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count >= 3, digits.first != UInt8(ascii: "0") else { return nil }
    let prefixes = (1...3).map { length in
      digits.prefix(length).reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
    let length =
      oneDigitCodes.contains(prefixes[0]) ? 1 : twoDigitCodes.contains(prefixes[1]) ? 2 : 3
    let code = prefixes[length - 1]
    var national = digits.dropFirst(length)
    if national.first == UInt8(ascii: "0"), !zeroIsDialled.contains(code) {
      // In Hungary people dial 06 before a number.
      let prefix = code == 36 ? "06" : "0"
      guard zeroIsNational.contains(code), national.starts(with: prefix.utf8) else { return nil }
      national = national.dropFirst(prefix.utf8.count)
      guard national.first != UInt8(ascii: "0") else { return nil }
    }
    if let lengths = lengths[code], !lengths.contains(national.count) { return nil }
    return Array(digits.prefix(length)) + national
  }

  private static let oneDigitCodes: Set<Int> = [1, 7]
  private static let twoDigitCodes: Set<Int> = [
    20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56,
    57, 58, 60, 61, 62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98,
  ]

  /// Numbers can begin with 0, which is also dialled from abroad: Italy and the Vatican, San Marino,
  /// Côte d'Ivoire, Burkina Faso, Niger, Benin, Gabon, Congo and Tajikistan.
  private static let zeroIsDialled: Set<Int> = [39, 378, 225, 226, 227, 229, 241, 242, 992]

  /// No number begins with 0, and people dial 0 before a number inside the country. In other countries
  /// nobody dials a zero.
  private static let zeroIsNational: Set<Int> = [
    20, 27, 31, 32, 33, 36, 40, 41, 43, 44, 46, 49, 51, 53, 54, 55, 57, 58, 60, 61, 62, 63, 64, 66,
    81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98, 211, 212, 213, 218, 231, 232, 233, 234, 243, 249,
    250, 251, 252, 254, 255, 256, 260, 261, 262, 263, 264, 265, 291, 353, 355, 358, 359, 370, 373,
    374, 375, 377, 380, 381, 382, 383, 385, 386, 387, 389, 421, 423, 508, 590, 591, 593, 594, 595,
    596, 598, 686, 850, 855, 856, 880, 886, 961, 962, 963, 964, 966, 967, 970, 971, 972, 976, 977,
    994, 995, 996,
  ]

  /// How many digits follow the country calling code, for plans that fix it. A plan that isn't here
  /// has numbers of several lengths, or has changed its length in recent years.
  private static let lengths: [Int: ClosedRange<Int>] = {
    let plans: [(lengths: ClosedRange<Int>, codes: [Int])] = [
      (10...10, [1, 7, 30, 57, 58, 90, 91, 225, 229]),
      (9...9, [33, 34, 41, 56, 61, 94, 242, 351, 375, 380, 420, 966, 992, 994, 995, 996, 998]),
      (
        8...8,
        [
          45, 47, 65, 216, 226, 227, 241, 356, 357, 370, 371, 373, 374, 382, 386, 389, 502, 503,
          504, 505, 506, 591, 852, 853, 965, 968, 973, 974, 993,
        ]
      ),
      // Japan's mobile numbers are longer. In Mexico, Argentina and Brazil, so are some mobile numbers.
      (9...10, [81]), (10...11, [52, 54, 55]),
    ]
    return plans.reduce(into: [:]) { lengths, plan in
      for code in plan.codes { lengths[code] = plan.lengths }
    }
  }()
}
