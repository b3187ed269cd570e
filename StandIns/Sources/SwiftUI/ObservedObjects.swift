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
    guard let object = EnvironmentObjects.of(Object.self) else {
      fatalError("The environment has no \(Object.self).")
    }
    return object
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

/// The objects that views have put into the environment, by type. The last one counts, which is
/// enough for a test with one tree of views.
@MainActor enum EnvironmentObjects {
  private static var objects: [ObjectIdentifier: AnyObject] = [:]
  static func of<Object: ObservableObject>(_ type: Object.Type) -> Object? {
    objects[ObjectIdentifier(type)] as? Object
  }
  static func set(_ object: some ObservableObject) {
    objects[ObjectIdentifier(type(of: object))] = object
  }
}

@propertyWrapper public struct Environment<Value> {
  private let keyPath: KeyPath<EnvironmentValues, Value>?
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
  public init(_ type: Value.Type) { keyPath = nil }
  public var wrappedValue: Value {
    guard let keyPath else { fatalError("The environment has no \(Value.self).") }
    return EnvironmentValues()[keyPath: keyPath]
  }
}

public struct EnvironmentValues {
  /// English, so that tests can compare texts.
  public var locale: Locale { Locale(identifier: "en_US") }
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
