public import Foundation

/// A change of the profile. Values that aren't set are kept.
public struct ProfileChange: Sendable, Hashable {
  public enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
    case keep
    case set(Value)
    case remove
  }
  public var displayName: Change<String> = .keep
  public var photoURL: Change<URL> = .keep
  public init() {}
}
