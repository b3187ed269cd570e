import Foundation
import GatehouseProtocol

/// Reads a query's parameters, which are fields of the request's message, like those of a body:
/// each is requested by its camelCase name and also found under its snake_case name.
struct WireParameters: Sendable {
  private let fields: FormFields

  init(_ fields: FormFields) { self.fields = fields }

  func string(_ name: StaticString) -> String? {
    fields.fields.first { WireFields.names($0.name, name) }?.value
  }

  /// An integer in decimal digits; nil for an empty value.
  func int64(_ name: StaticString) throws(WireError) -> Int64? {
    guard let text = string(name), !text.isEmpty else { return nil }
    guard let integer = Int64(text) else {
      throw WireError(field: "\(name)", wanted: .int64)
    }
    return integer
  }
  /// All values of a parameter that may be repeated. Empty ones are left out.
  func strings(_ name: StaticString) -> [String] {
    fields.fields.filter { WireFields.names($0.name, name) && !$0.value.isEmpty }.map(\.value)
  }
}

extension Date {
  /// A time of a request, with or without a fraction of a second. Nil without a text.
  ///
  /// - Parameter name: The member or parameter, for the error.
  init?(rfc3339 text: String?, of name: String) throws(APIError) {
    guard let text, !text.isEmpty else { return nil }
    let style = Date.ISO8601FormatStyle(
      includingFractionalSeconds: text.utf8.contains(UInt8(ascii: ".")))
    guard text.utf8.count <= 40, let time = try? Date(text, strategy: style) else {
      throw .invalidArgument("\(name) is a time such as 2027-01-31T12:00:00Z.")
    }
    self = time
  }
}
