extension KeyedDecodingContainer {
  /// The stored value, or the default if the document was stored before the key existed.
  func value<Value: Decodable>(_ key: Key, or standard: Value) throws -> Value {
    try decodeIfPresent(Value.self, forKey: key) ?? standard
  }
}
