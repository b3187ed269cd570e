public import Foundation

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
public struct ColorResource: Hashable, Sendable {
  let name: String
  public init(name: String, bundle: Bundle) { self.name = name }
}

public protocol ShapeStyle: Sendable {}

public struct Color: View, ShapeStyle, Sendable {
  public static let red = Color()
  public static let blue = Color()
  public static let white = Color()
  public static let black = Color()
  public static let primary = Color()
  public static let secondary = Color()
  public static let accentColor = Color()
  nonisolated init() {}
  public func draw(on screen: Screen) {}
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  public init(_ resource: ColorResource) {}
  public init(_ name: String, bundle: Bundle? = nil) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension ShapeStyle where Self == Color {
  public static var red: Color { .init() }
  public static var blue: Color { .init() }
  public static var white: Color { .init() }
  public static var black: Color { .init() }
  public static var primary: Color { .init() }
  public static var secondary: Color { .init() }
}

public struct Font: Hashable, Sendable {
  public static let body = Font()
  public static let headline = Font()
  public static let caption = Font()
  public static let footnote = Font()
  public static let title = Font()
  public func bold() -> Font { self }
}

@available(iOS 15, macOS 12, *)
public enum TextSelectability: Sendable { case enabled, disabled }

extension View {
  public func font(_ font: Font?) -> ModifiedContent { modified() }
  @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
  public func bold() -> ModifiedContent { modified() }
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
    -> ModifiedContent
  { modified() }
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> ModifiedContent { modified() }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public func foregroundStyle(_ style: some ShapeStyle) -> ModifiedContent { modified() }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public func background(_ style: some ShapeStyle) -> ModifiedContent { modified() }
  public func background<Content: View>(_ content: Content, alignment: Alignment = .center)
    -> ModifiedContent
  { modified() }
  public func cornerRadius(_ radius: CGFloat) -> ModifiedContent { modified() }
  public func scaledToFit() -> ModifiedContent { modified() }
  #if !os(tvOS) && !os(watchOS)
    @available(iOS 15, macOS 12, *)
    public func textSelection(_ selectability: TextSelectability) -> ModifiedContent { modified() }
  #endif
  public func padding(_ length: CGFloat? = nil) -> ModifiedContent { modified() }
  public func disabled(_ disabled: Bool) -> ModifiedContent {
    ModifiedContent { screen in
      let wasEnabled = screen.isEnabled
      screen.isEnabled = wasEnabled && !disabled
      draw(on: screen)
      screen.isEnabled = wasEnabled
    }
  }
  @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
  public func accessibilityLabel(_ label: some StringProtocol) -> ModifiedContent { modified() }
  @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
  public func accessibilityIdentifier(_ identifier: String) -> ModifiedContent { modified() }
  @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
  public func accessibilityHint(_ hint: some StringProtocol) -> ModifiedContent { modified() }
  @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
  public func navigationTitle(_ title: some StringProtocol) -> ModifiedContent { modified() }
  public func environmentObject<Object: ObservableObject>(_ object: Object) -> ModifiedContent {
    ModifiedContent { screen in
      let before = EnvironmentObjects.of(Object.self)
      EnvironmentObjects.set(object)
      draw(on: screen)
      // The drawn contents keep the object that they read: buttons are pressed later.
      if let before { EnvironmentObjects.set(before) }
    }
  }
}
