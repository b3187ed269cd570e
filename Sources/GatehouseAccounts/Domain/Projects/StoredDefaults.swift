extension KeyedDecodingContainer {
  /// A stored value; of a document from before there was one, the default.
  func value<Value: Decodable>(_ key: Key, or standard: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? standard
  }
}
