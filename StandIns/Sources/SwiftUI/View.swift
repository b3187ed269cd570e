/// The shape of SwiftUI's views, so that they are type-checked. Nothing is drawn.
@preconcurrency @MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View {
  public typealias Body = Never
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct EmptyView: View {
  public nonisolated init() {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct TupleView<each Content: View>: View {
  nonisolated init() {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct ConditionalContent<First: View, Second: View>: View {
  nonisolated init() {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct AnyView: View {
  public nonisolated init<Content: View>(_ view: Content) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content)
    -> TupleView<repeat each Content>
  { TupleView() }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First)
    -> ConditionalContent<First, Second>
  { ConditionalContent() }
  public static func buildEither<First: View, Second: View>(second: Second)
    -> ConditionalContent<First, Second>
  { ConditionalContent() }
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
    AnyView(content)
  }
}

/// What a modifier makes of a view: another view.
public struct ModifiedContent: View {
  nonisolated init() {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension View {
  public func modified() -> ModifiedContent { ModifiedContent() }
}
