/// What a view keeps while it is on the screen: ``SimulatedWindow`` passes it to the view that is
/// created next in the same place.
@propertyWrapper public struct State<Value> {
  final class Box { var value: Value; init(_ value: Value) { self.value = value } }
  final class Storage { var box: Box; init(_ box: Box) { self.box = box } }
  private let storage: Storage

  public init(wrappedValue: Value) { storage = Storage(Box(wrappedValue)) }
  public init(initialValue: Value) { storage = Storage(Box(initialValue)) }

  public var wrappedValue: Value {
    get { storage.box.value }
    nonmutating set { storage.box.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    let storage = storage
    return Binding(get: { storage.box.value }, set: { storage.box.value = $0 })
  }
}

/// A state with any type of value.
protocol Kept {
  /// Takes over the state of the former view, or stores its own for the next one.
  func keep(in boxes: inout [String: AnyObject], at place: String)
}

extension State: Kept {
  func keep(in boxes: inout [String: AnyObject], at place: String) {
    if let box = boxes[place] as? Box { storage.box = box } else { boxes[place] = storage.box }
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  public static func constant(_ value: Value) -> Binding { Binding(get: { value }, set: { _ in }) }

  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  public var projectedValue: Binding { self }

  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<
    Subject
  > {
    Binding<Subject>(
      get: { get()[keyPath: keyPath] },
      set: { new in
        var value = get()
        value[keyPath: keyPath] = new
        set(value)
      })
  }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var projectedValue: Bindable<Value> { self }

  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>)
    -> Binding<Subject> where Value: AnyObject
  {
    let object = wrappedValue
    return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
  }
}
