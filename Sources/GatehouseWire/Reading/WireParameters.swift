/// Reads a query's parameters, which are fields of the request's message as those of a body are:
/// each is asked for by its camelCase name and found under its snake_case name as well.
public struct WireParameters: Sendable {
  private let fields: FormFields

  public init(_ fields: FormFields) { self.fields = fields }

  public func string(_ name: StaticString) -> String? {
    fields.fields.first { WireFields.names($0.name, name) }?.value
  }

  /// A whole number in decimal digits; an empty value is the same as none.
  public func int64(_ name: StaticString) throws(WireError) -> Int64? {
    guard let text = string(name), !text.isEmpty else { return nil }
    guard let integer = Int64(text) else {
      throw WireError(field: "\(name)", wanted: .int64)
    }
    return integer
  }
}
