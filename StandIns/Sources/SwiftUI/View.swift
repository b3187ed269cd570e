/// The declarations of SwiftUI's views. They are type-checked, and a test reads what they add to a
/// ``Screen``. Nothing is displayed.
@preconcurrency @MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
  /// Only in the stand-in: what the view adds to a test's screen.
  @MainActor func draw(on screen: Screen)
}

extension View {
  public func draw(on screen: Screen) {
    screen.within(self) { body.draw(on: screen) }
  }
}

extension Never: View {
  public func draw(on screen: Screen) {}
  public typealias Body = Never
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct EmptyView: View {
  public nonisolated init() {}
  public func draw(on screen: Screen) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension Optional: View where Wrapped: View {
  public func draw(on screen: Screen) { self?.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct TupleView<each Content: View>: View {
  let content: (repeat each Content)
  init(_ content: repeat each Content) { self.content = (repeat each content) }
  public func draw(on screen: Screen) { repeat (each content).draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct ConditionalContent<First: View, Second: View>: View {
  let first: First?
  let second: Second?
  public func draw(on screen: Screen) {
    first.draw(on: screen)
    second.draw(on: screen)
  }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct AnyView: View {
  let drawing: @MainActor (Screen) -> Void
  public init<Content: View>(_ view: Content) { drawing = { view.draw(on: $0) } }
  public func draw(on screen: Screen) { drawing(screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@MainActor @resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content)
    -> TupleView<repeat each Content>
  { TupleView(repeat each content) }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First)
    -> ConditionalContent<First, Second>
  { ConditionalContent(first: first, second: nil) }
  public static func buildEither<First: View, Second: View>(second: Second)
    -> ConditionalContent<First, Second>
  { ConditionalContent(first: nil, second: second) }
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
    AnyView(content)
  }
}

/// The view that a modifier returns.
public struct ModifiedContent: View {
  let drawing: @MainActor (Screen) -> Void
  init(_ drawing: @escaping @MainActor (Screen) -> Void) { self.drawing = drawing }
  public func draw(on screen: Screen) { drawing(screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension View {
  public func modified() -> ModifiedContent { ModifiedContent { draw(on: $0) } }

  /// - Parameter more: What the modifier adds, after the view itself.
  func modified(_ more: @escaping @MainActor (Screen) -> Void) -> ModifiedContent {
    ModifiedContent { screen in
      draw(on: screen)
      more(screen)
    }
  }
}
