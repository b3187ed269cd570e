public import Foundation

public struct Text: View {
  public init(_ content: some StringProtocol) {}
  public init(_ key: LocalizedStringKey) {}
  public init(verbatim: String) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation, Sendable {
  public init(_ value: String) {}
  public init(stringLiteral value: String) {}
}

public struct ButtonRole: Equatable, Sendable {
  private let name: String
  public static let destructive = ButtonRole(name: "destructive")
  public static let cancel = ButtonRole(name: "cancel")
}

public struct Button<Label: View>: View {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension Button where Label == Text {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
  public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
  public init(
    _ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {}
  public init(
    _ title: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {}
}

public struct TextField<Label: View>: View {
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension TextField where Label == Text {
  public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct SecureField<Label: View>: View {
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension SecureField where Label == Text {
  public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct ProgressView: View {
  public init() {}
  public init(_ title: some StringProtocol) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct Image: View, Sendable {
  public init(systemName: String) {}
  public init(_ name: String) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct Label<Title: View, Icon: View>: View {
  public var body: Never { fatalError("Nothing is drawn here.") }
}

extension Label where Title == Text, Icon == Image {
  public init(_ title: some StringProtocol, systemImage: String) {}
}

public struct Spacer: View {
  public init(minLength: CGFloat? = nil) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

public struct Divider: View {
  public init() {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}
