public import GatehouseProtocol
public import struct Foundation.Date

/// The members of a token's payload (RFC 7519 §4), read by type.
///
/// The claims are not necessarily verified: trust them only in a ``VerifiedToken`` or another
/// verified type. Accessors return nil both for an absent claim and for a claim of another type;
/// ``contains(_:)`` distinguishes the two.
public struct Claims: Sendable, Hashable {
  public let json: JSONObject

  init(json: JSONObject) { self.json = json }

  public var names: [String] { json.members.map(\.name) }

  public func contains(_ name: String) -> Bool { json[name] != nil }

  /// Whether an optional claim is there: see `JSONObject.optional(_:)`.
  public func has(_ name: String) -> Bool { json.optional(name) != nil }

  public func string(_ name: String) -> String? { json[name]?.string }

  /// A boolean; the string `"true"` isn't one.
  public func bool(_ name: String) -> Bool? { json[name]?.bool }

  /// A boolean, or one of the strings `"true"` and `"false"`, as Apple writes them.
  public func boolOrText(_ name: String) -> Bool? {
    switch json[name] {
    case .bool(let value): value
    case .string(let text) where text.utf8.elementsEqual("true".utf8): true
    case .string(let text) where text.utf8.elementsEqual("false".utf8): false
    default: nil
    }
  }

  public func int64(_ name: String) -> Int64? { json[name]?.int64 }

  /// A NumericDate: seconds since 1970, with or without a fraction (RFC 7519 §2), from 1970 to the
  /// year 9999.
  public func date(_ name: String) -> Date? {
    numericDate(name).map { Date(timeIntervalSince1970: $0) }
  }

  /// ``date(_:)`` in seconds.
  func numericDate(_ name: String) -> Double? {
    guard let seconds = json[name]?.double, Self.numericDates.contains(seconds) else { return nil }
    return seconds
  }

  private static let numericDates: ClosedRange<Double> = 0...253_402_300_799

  /// A string, or an array that holds only strings: the two forms of `aud` (RFC 7519 §4.1.3).
  public func strings(_ name: String) -> [String]? {
    switch json[name] {
    case .string(let value): return [value]
    case .array(let elements):
      let strings = elements.compactMap(\.string)
      return strings.count == elements.count ? strings : nil
    default: return nil
    }
  }

  /// The members of a claim that is an object.
  public func object(_ name: String) -> Claims? { json[name]?.object.map { Claims(json: $0) } }

  /// One claim as JSON text.
  public func jsonText(_ name: String) -> String? { json[name]?.text() }

  /// All claims as JSON text.
  ///
  /// - Parameter sortedKeys: Orders members by the bytes of their names. Otherwise they keep the
  ///   token's order.
  public func jsonText(sortedKeys: Bool = false) -> String {
    JSONValue.object(json).text(sortedKeys: sortedKeys)
  }
}

extension JSONObject {
  /// The value of an optional member; nil if it is absent, `null` or `""`.
  ///
  /// Many issuers write `null` or an empty text where the standards ask them to leave a member out:
  /// `"nonce": null` in a token whose request had none. Both say that there is no value.
  public func optional(_ name: String) -> JSONValue? {
    switch self[name] {
    case nil, .null: nil
    case .string(let text) where text.isEmpty: nil
    case let value: value
    }
  }
}
