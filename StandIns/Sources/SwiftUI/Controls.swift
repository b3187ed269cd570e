public import Foundation

#if canImport(CoreImage)
  public import CoreImage
#endif

public struct Text: View {
  let text: String
  public init(_ content: some StringProtocol) { text = String(content) }
  public init(_ key: LocalizedStringKey) { text = key.text }
  public init(verbatim: String) { text = verbatim }
  public func draw(on screen: Screen) { screen.texts.append(text) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation, Sendable {
  let text: String
  public init(_ value: String) { text = value }
  public init(stringLiteral value: String) { text = value }
}

@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public struct ButtonRole: Equatable, Sendable {
  private let name: String
  public static let destructive = ButtonRole(name: "destructive")
  public static let cancel = ButtonRole(name: "cancel")
}

public struct Button<Label: View>: View {
  let action: @MainActor () -> Void
  let label: Label

  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    self.action = action
    self.label = label()
  }
  public func draw(on screen: Screen) {
    screen.add(button: Screen(label).texts.joined(separator: " "), action: action)
  }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension Button where Label == Text {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.action = action
    label = Text(title)
  }
  public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.action = action
    label = Text(title)
  }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public init(
    _ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.action = action
    label = Text(title)
  }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public init(
    _ title: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.action = action
    label = Text(title)
  }
}

public struct TextField<Label: View>: View {
  let title: String
  let text: Binding<String>
  public func draw(on screen: Screen) { screen.fields.append((title, text)) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension TextField where Label == Text {
  public init(_ title: some StringProtocol, text: Binding<String>) {
    self.title = String(title)
    self.text = text
  }
}

public struct SecureField<Label: View>: View {
  let title: String
  let text: Binding<String>
  public func draw(on screen: Screen) { screen.fields.append((title, text)) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension SecureField where Label == Text {
  public init(_ title: some StringProtocol, text: Binding<String>) {
    self.title = String(title)
    self.text = text
  }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct ProgressView: View {
  public init() {}
  public func draw(on screen: Screen) { screen.texts.append("…") }
  public init(_ title: some StringProtocol) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

#if !os(tvOS) && !os(watchOS)
  @available(iOS 14, macOS 11, *)
  public struct Link<Label: View>: View {
    let title: String
    let destination: URL
    public func draw(on screen: Screen) { screen.links.append((title, destination)) }
    public var body: Never { fatalError("Nothing is drawn here.") }
  }

  @available(iOS 14, macOS 11, *)
  extension Link where Label == Text {
    public init(_ title: some StringProtocol, destination: URL) {
      self.title = String(title)
      self.destination = destination
    }
  }
#endif

public struct Image: View, Sendable {
  public enum Interpolation: Sendable { case none, low, medium, high }
  #if canImport(CoreImage)
    public init(decorative image: CGImage, scale: CGFloat) {}
  #endif
  public func interpolation(_ interpolation: Interpolation) -> Image { self }
  public func resizable() -> Image { self }
  public func draw(on screen: Screen) {}
  public init(systemName: String) {}
  public init(_ name: String) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct Label<Title: View, Icon: View>: View {
  let title: String
  public func draw(on screen: Screen) { screen.texts.append(title) }
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension Label where Title == Text, Icon == Image {
  public init(_ title: some StringProtocol, systemImage: String) { self.title = String(title) }
}

public struct Spacer: View {
  public func draw(on screen: Screen) {}
  public init(minLength: CGFloat? = nil) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct Divider: View {
  public func draw(on screen: Screen) {}
  public init() {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}
