/// An event of a stream of server-sent events (WHATWG HTML §9.2.5).
public struct ServerSentEvent: Hashable, Sendable {
  /// The id with which a client resumes; nil keeps the one before, an empty one removes it.
  public var id: String?
  public var type: String
  /// Not empty: clients ignore an event without data (§9.2.6).
  public var data: String
  /// How long the client waits before it connects again. Milliseconds.
  public var retryMilliseconds: Int?

  public init(
    id: String? = nil, type: String, data: String = "{}", retryMilliseconds: Int? = nil
  ) {
    self.id = id
    self.type = type
    self.data = data
    self.retryMilliseconds = retryMilliseconds
  }

  /// A comment, which clients ignore (§9.2.7): it shows that the connection is alive.
  public static let comment: [UInt8] = Array(":\n\n".utf8)

  /// The event as it is sent. A line end within `id` or `type` ends the value there.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if let retryMilliseconds { Self.write("retry", String(retryMilliseconds), to: &bytes) }
    if let id { Self.write("id", id, to: &bytes) }
    Self.write("event", type, to: &bytes)
    for line in data.utf8.split(omittingEmptySubsequences: false, whereSeparator: Self.endsLine) {
      Self.write("data", String(Substring(line)), to: &bytes)
    }
    bytes.append(0x0A)
    return bytes
  }

  private static func write(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += name.utf8
    bytes += ": ".utf8
    bytes += value.utf8.prefix { !endsLine($0) }
    bytes.append(0x0A)
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
