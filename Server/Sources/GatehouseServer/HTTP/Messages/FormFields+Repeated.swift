import GatehouseProtocol

extension FormFields {
  /// The first of `names` that occurs more than once: two parsers could read such a request
  /// differently.
  func repeated(of names: [String]) -> String? {
    names.first { count(of: $0) > 1 }
  }
}
