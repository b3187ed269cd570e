/// Reads a stream of server-sent events as it arrives (WHATWG HTML §9.2.6), within limits.
///
/// A value without side effects: bytes in, events out. The stream may arrive in pieces of any size.
public struct EventStreamParser: Sendable {
  /// A line or an event is too long. The rest of the stream can't be read.
  public struct TooLong: Error, Hashable, Sendable {}

  /// The longest line, and the longest data of an event, in bytes.
  public static let maximumBytes = 64 * 1024
  /// The longest id that is kept, in bytes: it is sent back in a header.
  public static let maximumIDBytes = 256

  /// The id with which a client resumes the stream: the standard's "last event ID string". Empty if
  /// there is none.
  public private(set) var lastEventID: String
  /// How long the server asks the client to wait before it connects again. Milliseconds.
  public private(set) var retryMilliseconds: Int?

  private var line: [UInt8] = []
  private var lineCount = 0
  private var followsCarriageReturn = false
  private var id: String
  private var type = ""
  private var data: [UInt8] = []
  private var hasData = false

  /// - Parameter lastEventID: The ``lastEventID`` of the connection before.
  public init(lastEventID: String = "") {
    self.lastEventID = lastEventID
    id = lastEventID
  }

  /// - Returns: The events that are complete now. An event at the end of the stream without an
  ///   empty line after it is never returned, as the standard requires.
  public mutating func parse(_ piece: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in piece {
      let isSecondHalf = followsCarriageReturn && byte == 0x0A
      followsCarriageReturn = byte == 0x0D
      if isSecondHalf { continue }
      guard byte == 0x0A || byte == 0x0D else {
        guard line.count < Self.maximumBytes else { throw TooLong() }
        line.append(byte)
        continue
      }
      if let event = try endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() throws(TooLong) -> ServerSentEvent? {
    defer {
      line.removeAll(keepingCapacity: true)
      lineCount = 1
    }
    // "If the stream starts with a U+FEFF BYTE ORDER MARK": it is skipped.
    let start = lineCount == 0 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = line[start...]
    guard !text.isEmpty else { return dispatch() }
    let colon = text.firstIndex(of: UInt8(ascii: ":"))
    // "If the line starts with a U+003A COLON character (:): Ignore the line."
    guard colon != text.startIndex else { return nil }
    let name = text[..<(colon ?? text.endIndex)]
    var value = colon.map { text[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    try process(name, value)
    return nil
  }

  private mutating func process(
    _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>
  ) throws(TooLong) {
    switch name {
    case _ where name.elementsEqual("event".utf8): type = String(decoding: value, as: UTF8.self)
    case _ where name.elementsEqual("data".utf8):
      guard value.count + data.count < Self.maximumBytes else { throw TooLong() }
      data += value
      data.append(0x0A)
      hasData = true
    case _ where name.elementsEqual("id".utf8):
      // "If the field value does not contain U+0000 NULL". An id that can't be sent in a header is
      // ignored too.
      guard value.count <= Self.maximumIDBytes, value.allSatisfy({ $0 > 0x1F && $0 < 0x7F }) else {
        return
      }
      id = String(decoding: value, as: UTF8.self)
    case _ where name.elementsEqual("retry".utf8):
      guard (1...9).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return
      }
      retryMilliseconds = Int(String(decoding: value, as: UTF8.self))
    default: break
    }
  }

  private mutating func dispatch() -> ServerSentEvent? {
    lastEventID = id
    defer {
      type = ""
      data = []
      hasData = false
    }
    guard hasData else { return nil }
    return ServerSentEvent(
      id: lastEventID, type: type.isEmpty ? "message" : type,
      data: String(decoding: data.dropLast(), as: UTF8.self))
  }
}
