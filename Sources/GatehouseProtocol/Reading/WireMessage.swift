/// A message that a client sends.
public protocol WireRequest: Sendable {
  /// - Throws: ``WireError`` for a field of the wrong type. The meaning of a value isn't checked.
  init(_ fields: WireFields) throws(WireError)
}

/// A message that the server returns.
public protocol WireResponse: Sendable {
  /// Writes the message's members into an object that the caller has opened.
  func writeMembers(to writer: inout JSONWriter)
}

extension WireResponse {
  /// The message as JSON text.
  public func json() -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 2048)
    writer.object { writeMembers(to: &$0) }
    return writer.bytes
  }
}

/// A message that our server and our client both read and write, with the same field names.
public protocol WireMessage: WireRequest, WireResponse {}

/// A response without fields, `{}`, or a response whose fields the client doesn't read.
public struct EmptyResponse: WireMessage {
  public init() {}
  public init(_ fields: WireFields) throws(WireError) {}
  public func writeMembers(to writer: inout JSONWriter) {}
}
