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
}
