import Synchronization

/// The part of Combine that a view model needs: a stream of values, and its subscribers.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// Calls `receive` with every value from now on.
  func attach(_ receive: @escaping (Output) -> Void) -> AnyCancellable
}

public protocol Cancellable { func cancel() }

/// Ends a subscription when it is cancelled or released.
public final class AnyCancellable: Cancellable, Hashable {
  private let end: () -> Void

  public init(_ end: @escaping () -> Void) { self.end = end }
  deinit { end() }

  public func cancel() { end() }
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    attach(receiveValue)
  }
}

/// The subscribers of a publisher.
final class Listeners<Value> {
  private var listeners: [Int: (Value) -> Void] = [:]
  private var next = 0

  func add(_ listener: @escaping (Value) -> Void) -> AnyCancellable {
    let id = next
    next += 1
    listeners[id] = listener
    return AnyCancellable { [weak self] in self?.listeners[id] = nil }
  }

  func send(_ value: Value) { for listener in listeners.values { listener(value) } }
}
