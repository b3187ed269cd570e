#if !os(watchOS)
  @preconcurrency @MainActor open class UIControl: UIView {
    public struct Event: OptionSet, Sendable, Hashable {
      public let rawValue: UInt
      public init(rawValue: UInt) { self.rawValue = rawValue }
      public static let touchUpInside = Event(rawValue: 1 << 6)
      public static let valueChanged = Event(rawValue: 1 << 12)
      public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    }

    public struct State: OptionSet, Sendable, Hashable {
      public let rawValue: UInt
      public init(rawValue: UInt) { self.rawValue = rawValue }
      public static let normal: State = []
      public static let disabled = State(rawValue: 1 << 1)
    }

    private var actions: [(action: UIAction, event: Event)] = []

    @available(iOS 14, tvOS 14, *)
    open func addAction(_ action: UIAction, for controlEvents: Event) {
      actions.append((action, controlEvents))
    }

    open func sendActions(for controlEvents: Event) {
      for (action, event) in actions where !event.isDisjoint(with: controlEvents) {
        action.handler(action)
      }
    }
  }

  @preconcurrency @MainActor open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable { case custom, system }

    private var titles: [UIControl.State: String] = [:]

    public init(type buttonType: ButtonType) { super.init(frame: .zero) }
    public nonisolated override init() { super.init() }

    open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }
    open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }
  }

  @preconcurrency @MainActor open class UILabel: UIView {
    open var text: String?
    open var numberOfLines = 1

    public nonisolated override init() { super.init() }
  }

  @preconcurrency @MainActor open class UIAction {
    public typealias UIActionHandler = (UIAction) -> Void
    public let title: String
    let handler: UIActionHandler

    public init(title: String = "", handler: @escaping UIActionHandler) {
      self.title = title
      self.handler = handler
    }
  }
#endif
