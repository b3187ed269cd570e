/// The kind of content of a text field: `UITextContentType` on iOS, tvOS and visionOS,
/// `NSTextContentType` on macOS. watchOS has a different type with other members, and no keyboard
/// types.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let username = Self(rawValue: "username")
  public static let password = Self(rawValue: "password")
  public static let emailAddress = Self(rawValue: "email")
  public static let telephoneNumber = Self(rawValue: "tel")
  @available(iOS 12, macOS 11, tvOS 12, *)
  public static let oneTimeCode = Self(rawValue: "one-time-code")
}

public enum UIKeyboardType: Int, Sendable {
  case `default`
  case numberPad = 4
  case phonePad, namePhonePad, emailAddress
}

@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public struct TextInputAutocapitalization: Sendable {
  public static var never: Self { Self() }
}

extension View {
  #if !os(watchOS)
    @available(iOS 13, macOS 11, tvOS 13, watchOS 7, *)
    public func textContentType(_ textContentType: UITextContentType?) -> ModifiedContent {
      modified()
    }
  #endif
  #if !os(watchOS) && !os(macOS)
    public func keyboardType(_ type: UIKeyboardType) -> ModifiedContent { modified() }
  #endif
  #if !os(macOS)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?)
      -> ModifiedContent
    { modified() }
  #endif
  public func autocorrectionDisabled(_ disable: Bool = true) -> ModifiedContent { modified() }
}
