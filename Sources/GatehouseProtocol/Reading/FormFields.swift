/// The fields of `application/x-www-form-urlencoded` data: a body, a query, or a fragment.
///
/// If several fields have the same name, the first one is used: data appended later can't replace
/// it.
/// Names are compared as bytes. A name or value with more than 256 combining characters in a row, which
/// Swift compares very slowly, becomes U+FFFD.
public struct FormFields: Sendable {
  /// The greatest number of fields. Further ones are ignored.
  public static let maximumFields = 64

  public private(set) var fields: [(name: String, value: String)] = []

  public init() {}

  public init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  public init(_ text: Substring) { self.init(bytes: Array(text.utf8)) }

  /// Reads `name=value` pairs between `&`, percent-decoded; `+` is a space. Empty pieces, such as
  /// the one before a leading `&`, are skipped.
  ///
  /// The bytes are an array and not any collection: the compiler doesn't specialize a generic
  /// function for its callers in other targets, and the query of every request is read here.
  public init(bytes: [UInt8]) {
    var start = 0
    while start < bytes.count, fields.count < Self.maximumFields {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
      if end > start {
        let name = start..<(bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end)
        let value = min(name.upperBound + 1, end)..<end
        append(
          PercentEncoding.decoded(bytes[name], plusIsSpace: true),
          PercentEncoding.decoded(bytes[value], plusIsSpace: true))
      }
      start = end + 1
    }
  }

  public subscript(name: String) -> String? {
    fields.first { $0.name.hasSameBytes(as: name) }?.value
  }

  public func count(of name: String) -> Int {
    fields.count { $0.name.hasSameBytes(as: name) }
  }

  mutating func append(_ name: String, _ value: String) {
    fields.append((Self.comparable(name), Self.comparable(value)))
  }

  private static func comparable(_ text: String) -> String {
    CombiningCharacters.areTooMany(in: text) ? "\u{FFFD}" : text
  }
}
