public import GatehouseJSON

/// A message that a client sends.
public protocol WireRequest: Sendable {
  /// - Throws: ``WireError`` for a field of the wrong type. What a field's value means isn't checked.
  init(_ fields: WireFields) throws(WireError)
}

/// A message that the server answers.
public protocol WireResponse: Sendable {
  /// Writes the message's members into an object that the caller opened.
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

/// A message that both sides of ours speak: what one writes, the other reads, by one list of names.
public protocol WireMessage: WireRequest, WireResponse {}

/// An answer without fields: `{}`.
public struct EmptyResponse: WireResponse {
  public init() {}
  public func writeMembers(to writer: inout JSONWriter) {}
}
