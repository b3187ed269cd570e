public import Foundation

/// A point in time in UTC, to the nanosecond, with the range of Google's: the years 1 to 9999.
///
/// Only this module has it, for code that stays. An app that keeps Firestore has Google's.
public final class Timestamp: NSObject, NSCopying, Sendable {
  /// Since the beginning of 1970; negative before.
  public let seconds: Int64
  /// The nanoseconds after ``seconds``, from 0 to 999,999,999.
  public let nanoseconds: Int32

  /// - Precondition: Both are in their range.
  public init(seconds: Int64, nanoseconds: Int32) {
    precondition(
      (0..<1_000_000_000).contains(nanoseconds), "Not in a second: \(nanoseconds) nanoseconds.")
    precondition(
      (-62_135_596_800..<253_402_300_800).contains(seconds),
      "Not in the years 1 to 9999: \(seconds) seconds.")
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// - Precondition: The date is in the years 1 to 9999.
  public convenience init(date: Date) {
    let time = date.timeIntervalSince1970
    let seconds = time.rounded(.down)
    // Dates are more than a nanosecond apart, so this isn't rounded to a second.
    self.init(seconds: Int64(seconds), nanoseconds: Int32(((time - seconds) * 1e9).rounded()))
  }

  /// Now.
  public convenience override init() { self.init(date: Date()) }

  /// A `Date` has about a microsecond: the rest is lost.
  public func dateValue() -> Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
  }

  public func compare(_ other: Timestamp) -> ComparisonResult {
    let (left, right) = ((seconds, nanoseconds), (other.seconds, other.nanoseconds))
    return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? Timestamp).map { compare($0) == .orderedSame } ?? false
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(seconds)
    hasher.combine(nanoseconds)
    return hasher.finalize()
  }

  public override var description: String {
    "Timestamp(seconds: \(seconds), nanoseconds: \(nanoseconds))"
  }
}
