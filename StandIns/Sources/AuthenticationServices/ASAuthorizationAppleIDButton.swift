#if !os(watchOS)
  public import UIKit

  /// The button, in black, white or with an outline.
  @preconcurrency @MainActor open class ASAuthorizationAppleIDButton: UIControl {
    public enum ButtonType: Int, Sendable { case signIn, `continue`, signUp }
    public enum Style: Int, Sendable { case white, whiteOutline, black }

    open var cornerRadius: CGFloat = 6

    public nonisolated override init() { super.init() }
    public init(type: ButtonType, style: Style) { super.init(frame: .zero) }
    public convenience init(
      authorizationButtonType type: ButtonType, authorizationButtonStyle style: Style
    ) {
      self.init(type: type, style: style)
    }
  }
#endif
