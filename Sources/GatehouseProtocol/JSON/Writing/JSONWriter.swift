/// Appends JSON text to bytes, without white space.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object {
///   $0.member("kind", "example")
///   $0.array("users") { users in
///     for user in all { users.object { $0.member("localId", user.id) } }
///   }
/// }
/// send(writer.bytes)
/// ```
///
/// The writer adds the commas. The caller must use distinct names, and must give a name exactly
/// where a member of an object begins.
public struct JSONWriter: Sendable {
  /// What has been written.
  public private(set) var bytes: [UInt8]

  /// Whether the next value or name follows another in the same array or object.
  private var followsSibling = false

  /// - Parameter capacity: Bytes to reserve.
  public init(reservingCapacity capacity: Int = 512) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  // MARK: Values

  public mutating func value(_ value: String) {
    separate()
    appendQuoted(value)
  }

  public mutating func value(_ value: Int64) {
    separate()
    append(integer: value)
  }

  public mutating func value(_ value: Int) { self.value(Int64(value)) }

  public mutating func value(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  /// JSON has no infinities and no NaN: they become `null`.
  public mutating func value(_ value: Double) {
    guard let number = JSONNumber(value) else { return null() }
    separate()
    bytes.append(contentsOf: number.text.utf8)
  }

  public mutating func value(_ value: JSONValue) { write(value, sortedKeys: false) }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Appends `json` as a value. It must be one JSON value. It is not checked.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  // MARK: Containers

  public mutating func object<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    open(UInt8(ascii: "{"))
    try body(&self)
    close(UInt8(ascii: "}"))
  }

  public mutating func array<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    open(UInt8(ascii: "["))
    try body(&self)
    close(UInt8(ascii: "]"))
  }

  /// Opens an object that ``closeObject()`` must close: for writers that wrap this one. All other
  /// code uses ``object(_:)``, which closes the object itself.
  public mutating func openObject() { open(UInt8(ascii: "{")) }

  public mutating func closeObject() { close(UInt8(ascii: "}")) }

  /// Opens an array that ``closeArray()`` must close.
  public mutating func openArray() { open(UInt8(ascii: "[")) }

  public mutating func closeArray() { close(UInt8(ascii: "]")) }

  /// Begins a member; exactly one value must follow.
  public mutating func name(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    followsSibling = false
  }

  // MARK: Parts

  private mutating func separate() {
    if followsSibling { bytes.append(UInt8(ascii: ",")) }
    followsSibling = true
  }

  private mutating func open(_ byte: UInt8) {
    separate()
    bytes.append(byte)
    followsSibling = false
  }

  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    followsSibling = true
  }

  private mutating func append(integer: Int64) {
    // At most 19 digits, written from the last to the first.
    var magnitude = integer.magnitude
    if magnitude < 10 {
      if integer < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(UInt8(ascii: "0") + UInt8(magnitude))
      return
    }
    let start = bytes.count
    while magnitude > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(magnitude % 10))
      magnitude /= 10
    }
    if integer < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes[start...].reverse()
  }

  private mutating func appendQuoted(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    var copy = string
    copy.withUTF8 { text in
      var rest = 0
      while true {
        let end = unsafe Self.endOfPlainRun(text, from: rest)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[rest..<end]))
        guard end < text.count else { break }
        unsafe appendEscaped(text[end])
        rest = end + 1
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The index of the first byte that must be escaped, at `start` or later. If there is none, the
  /// count of `text`.
  private static func endOfPlainRun(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count, unsafe !needsEscape(text[index]) { index += 1 }
    return index
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 0x0F
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(byte)
    }
  }
}
