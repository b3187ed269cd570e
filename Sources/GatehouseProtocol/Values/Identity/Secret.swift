/// A value that must not reach a log, an error message or a debugger's summary by accident.
///
/// Interpolation and printing show `‹secret›`, and reflection shows nothing. It is not `Equatable`:
/// compare secrets with ``constantTimeEquals(_:_:)``.
public struct Secret<Value: Sendable>: Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  private let value: Value

  public init(_ value: Value) { self.value = value }

  /// The value itself. The name makes every use easy to see in the code.
  public func reveal() -> Value { value }

  public var description: String { "‹secret›" }
  public var debugDescription: String { "‹secret›" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Compares two byte sequences in a time that depends only on their lengths.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  var difference: UInt8 = 0
  for index in left.indices { difference |= left[index] ^ right[index] }
  return difference == 0
}
