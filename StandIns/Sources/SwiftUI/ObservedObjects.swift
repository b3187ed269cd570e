public import Foundation
public import Combine

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@preconcurrency @MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
  private let state: State<Object>
  public init(wrappedValue: @autoclosure @escaping () -> Object) {
    state = State(wrappedValue: wrappedValue())
  }
  public var wrappedValue: Object { state.wrappedValue }
  public var projectedValue: Wrapper<Object> { Wrapper(object: wrappedValue) }
}

@preconcurrency @MainActor @propertyWrapper public struct ObservedObject<Object: ObservableObject> {
  public var wrappedValue: Object
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

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension StateObject: @preconcurrency Kept {
  func keep(in boxes: inout [String: AnyObject], at place: String) {
    state.keep(in: &boxes, at: place)
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
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  public init(_ type: Value.Type) { keyPath = nil }
  public var wrappedValue: Value {
    guard let keyPath else { fatalError("The environment has no \(Value.self).") }
    return EnvironmentValues()[keyPath: keyPath]
  }
}

public struct EnvironmentValues {
  /// English, so that tests can compare texts.
  public var locale: Locale { Locale(identifier: "en_US") }
  @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
  public var scenePhase: ScenePhase { .active }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public var dismiss: DismissAction { DismissAction() }
  @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
  public var openURL: OpenURLAction { OpenURLAction() }
  public var colorScheme: ColorScheme { .light }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public enum ScenePhase: Sendable { case background, inactive, active }
public enum ColorScheme: Sendable { case light, dark }
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
@MainActor public struct DismissAction: Sendable {
  nonisolated init() {}
  public func callAsFunction() {}
}
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor public struct OpenURLAction: Sendable {
  nonisolated init() {}
  public func callAsFunction(_ url: URL) {}
}
