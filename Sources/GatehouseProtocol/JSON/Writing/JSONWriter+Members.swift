extension JSONWriter {
  public mutating func member(_ name: String, _ value: String) {
    self.name(name)
    self.value(value)
  }

  public mutating func member(_ name: String, _ value: Int64) {
    self.name(name)
    self.value(value)
  }

  public mutating func member(_ name: String, _ value: Int) { member(name, Int64(value)) }

  public mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    self.value(value)
  }

  public mutating func member(_ name: String, _ value: Double) {
    self.name(name)
    self.value(value)
  }

  public mutating func member(_ name: String, _ value: JSONValue) {
    self.name(name)
    self.value(value)
  }

  public mutating func member(_ name: String, _ values: [String]) {
    array(name) { for value in values { $0.value(value) } }
  }

  /// `json` must be one JSON value. It is not checked.
  public mutating func member(_ name: String, raw json: some Sequence<UInt8>) {
    self.name(name)
    raw(json)
  }

  public mutating func object<E>(
    _ name: String, _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    self.name(name)
    try object(body)
  }

  public mutating func array<E>(
    _ name: String, _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    self.name(name)
    try array(body)
  }
}

/// Members that are left out if the value is nil.
extension JSONWriter {
  public mutating func member(_ name: String, ifPresent value: String?) {
    if let value { member(name, value) }
  }

  public mutating func member(_ name: String, ifPresent value: Int64?) {
    if let value { member(name, value) }
  }

  public mutating func member(_ name: String, ifPresent value: Bool?) {
    if let value { member(name, value) }
  }

  public mutating func member(_ name: String, ifPresent value: JSONValue?) {
    if let value { member(name, value) }
  }

  public mutating func member(_ name: String, ifPresent values: [String]?) {
    if let values { member(name, values) }
  }
}
