public import Foundation

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom }
public enum Alignment: Sendable { case center, leading, trailing, top, bottom }

public struct HStack<Content: View>: View {
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { self.content = content() }
  let content: Content
  public func draw(on screen: Screen) { content.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct VStack<Content: View>: View {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { self.content = content() }
  let content: Content
  public func draw(on screen: Screen) { content.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct ZStack<Content: View>: View {
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
  let content: Content
  public func draw(on screen: Screen) { content.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct Group<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public func draw(on screen: Screen) { content.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
public struct NavigationStack<Root: View>: View {
  let root: Root
  public init(@ViewBuilder root: () -> Root) { self.root = root() }
  public func draw(on screen: Screen) { root.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct Form<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public func draw(on screen: Screen) { content.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct List<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public func draw(on screen: Screen) { content.draw(on: screen) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct Section<Content: View>: View {
  let title: String?
  let content: Content
  public init(@ViewBuilder content: () -> Content) {
    title = nil
    self.content = content()
  }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.title = String(title)
    self.content = content()
  }
  public func draw(on screen: Screen) {
    if let title { screen.texts.append(title) }
    content.draw(on: screen)
  }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
public struct LabeledContent: View {
  let texts: [String]
  public init(_ title: some StringProtocol, value: some StringProtocol) {
    texts = [String(title), String(value)]
  }
  public func draw(on screen: Screen) { screen.texts += texts }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping @MainActor (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
  }
  let data: Data
  let content: @MainActor (Data.Element) -> Content
  public func draw(on screen: Screen) {
    for element in data { content(element).draw(on: screen) }
  }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping @MainActor (Data.Element) -> Content) {
    self.data = data
    self.content = content
  }
}
