public import Foundation
public import Combine

@preconcurrency @MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
  public let wrappedValue: Object
  public init(wrappedValue: @autoclosure @escaping () -> Object) {
    self.wrappedValue = wrappedValue()
  }
  public var projectedValue: Wrapper<Object> { Wrapper(object: wrappedValue) }
}

@preconcurrency @MainActor @propertyWrapper public struct ObservedObject<Object: ObservableObject> {
  public let wrappedValue: Object
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
  public var projectedValue: Wrapper<Object> { Wrapper(object: wrappedValue) }
}

@preconcurrency @MainActor @propertyWrapper
public struct EnvironmentObject<
  Object: ObservableObject
> {
  public init() {}
  public var wrappedValue: Object {
    fatalError("Nobody put a \(Object.self) into the environment.")
  }
  public var projectedValue: Wrapper<Object> { Wrapper(object: wrappedValue) }
}

@MainActor @dynamicMemberLookup public struct Wrapper<Object: ObservableObject> {
  let object: Object
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Object, Subject>)
    -> Binding<Subject>
  {
    let object = object
    return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
  }
}

@propertyWrapper public struct Environment<Value> {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public init(_ type: Value.Type) {}
  public var wrappedValue: Value { fatalError("Nobody put a \(Value.self) into the environment.") }
}

public struct EnvironmentValues {
  public var locale: Locale { .current }
  public var scenePhase: ScenePhase { .active }
  public var dismiss: DismissAction { DismissAction() }
  public var openURL: OpenURLAction { OpenURLAction() }
  public var colorScheme: ColorScheme { .light }
}

public enum ScenePhase: Sendable { case background, inactive, active }
public enum ColorScheme: Sendable { case light, dark }
@MainActor public struct DismissAction: Sendable {
  nonisolated init() {}
  public func callAsFunction() {}
}
@MainActor public struct OpenURLAction: Sendable {
  nonisolated init() {}
  public func callAsFunction(_ url: URL) {}
}
