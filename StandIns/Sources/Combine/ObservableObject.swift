/// A class whose changes are announced before they happen.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  var objectWillChange: ObjectWillChangePublisher { get }
}

public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  private let listeners = Listeners<Void>()

  public init() {}
  public func attach(_ receive: @escaping (()) -> Void) -> AnyCancellable {
    listeners.add(receive)
  }
  public func send() { listeners.send(()) }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// The object's own publisher, created at the first access.
  public var objectWillChange: ObservableObjectPublisher { PublisherTable.publisher(of: self) }
}
