/// The reader's limits. Every field has a default that suits a request body.
public struct JSONLimits: Sendable, Hashable {
  /// Length of the input, in bytes.
  public var bytes: Int

  /// How deep arrays and objects may nest: 1 allows `[]` but not `[[]]`.
  ///
  /// Larger values than ``greatestDepth`` are reduced to it: the reader recurses, and stacks are
  /// finite.
  public var depth: Int

  /// Number of members and elements in the whole input.
  public var values: Int

  /// Length of one string or name as it is written, in bytes.
  public var stringBytes: Int

  /// Length of one number as it is written, in bytes.
  public var numberBytes: Int

  public init(
    bytes: Int = 1 << 20, depth: Int = 32, values: Int = 100_000, stringBytes: Int = 1 << 20,
    numberBytes: Int = 256
  ) {
    self.bytes = bytes
    self.depth = depth
    self.values = values
    self.stringBytes = stringBytes
    self.numberBytes = numberBytes
  }

  /// The defaults: 1 MiB, 32 deep, 100,000 values.
  public static let standard = JSONLimits()

  public static let greatestDepth = 256
}
