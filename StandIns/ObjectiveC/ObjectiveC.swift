/// The Objective-C name of a method. Linux can't call it: it is only type-checked.
public struct Selector: Sendable {
  public init(_ name: String) {}
}
