/// A property whose changes are announced by its object, and that is itself a publisher: `$name`.
@propertyWrapper
public struct Published<Value> {
  /// Sends the present value to a new subscriber, then each new value before it is stored.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    let storage: Storage

    public func attach(_ receive: @escaping (Value) -> Void) -> AnyCancellable {
      receive(storage.value)
      return storage.listeners.add(receive)
    }
  }

  final class Storage {
    var value: Value
    let listeners = Listeners<Value>()
    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  public init(initialValue: Value) { storage = Storage(initialValue) }

  public var projectedValue: Publisher { Publisher(storage: storage) }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  public static subscript<Object: ObservableObject>(
    _enclosingInstance object: Object,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set {
      (object.objectWillChange as? ObservableObjectPublisher)?.send()
      let storage = object[keyPath: storageKeyPath].storage
      storage.listeners.send(newValue)
      storage.value = newValue
    }
  }
}
