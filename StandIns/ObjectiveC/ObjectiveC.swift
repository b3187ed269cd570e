/// The name of a method, as Objective-C calls it. Linux can't: this is for the type-checker alone.
public struct Selector: Sendable {
  public init(_ name: String) {}
}
