extension JSONValue {
  /// Reads a whole JSON text: one value of any kind, with only white space around it.
  ///
  /// - Throws: ``JSONError`` at the first byte that isn't allowed, or where a limit is exceeded.
  public init(
    parsing bytes: Span<UInt8>, limits: JSONLimits = .standard
  ) throws(JSONError) {
    var parser = JSONParser(limits: limits)
    self = try parser.document(bytes)
  }

  public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    // Not `bytes.span`: Apple's systems have it only from iOS 26 on, that of a slice on older ones too.
    try self.init(parsing: bytes[...], limits: limits)
  }

  public init(parsing bytes: ArraySlice<UInt8>, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: bytes.span, limits: limits)
  }

  /// Reads the UTF-8 of `text`.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

extension JSONObject {
  /// Reads a JSON text that is one object.
  ///
  /// - Throws: ``JSONError``, with ``JSONError/Code/notAnObject`` for a value of another kind.
  public init(
    parsing bytes: Span<UInt8>, limits: JSONLimits = .standard
  ) throws(JSONError) {
    guard case .object(let object) = try JSONValue(parsing: bytes, limits: limits) else {
      throw JSONError(.notAnObject, offset: 0)
    }
    self = object
  }

  public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    // Not `bytes.span`: Apple's systems have it only from iOS 26 on, that of a slice on older ones too.
    try self.init(parsing: bytes[...], limits: limits)
  }

  public init(parsing bytes: ArraySlice<UInt8>, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: bytes.span, limits: limits)
  }

  /// Reads the UTF-8 of `text`.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}
