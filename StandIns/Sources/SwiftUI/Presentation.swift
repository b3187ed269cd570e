public import Foundation

public enum Visibility: Sendable { case automatic, visible, hidden }

extension View {
  public func confirmationDialog<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> Actions
  ) -> ModifiedContent { modified() }

  public func confirmationDialog<Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> Actions,
    @ViewBuilder message: () -> Message
  ) -> ModifiedContent { modified() }

  public func alert<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> Actions
  ) -> ModifiedContent { modified() }

  public func alert<Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> Actions,
    @ViewBuilder message: () -> Message
  ) -> ModifiedContent { modified() }

  public func alert<Actions: View, Message: View, Value>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, presenting: Value?,
    @ViewBuilder actions: (Value) -> Actions, @ViewBuilder message: (Value) -> Message
  ) -> ModifiedContent { modified() }

  public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> ModifiedContent { modified() }

  public func task(
    priority: TaskPriority = .userInitiated,
    _ action: @escaping @MainActor @Sendable () async -> Void
  ) -> ModifiedContent { modified() }

  public func task<ID: Equatable>(
    id: ID, priority: TaskPriority = .userInitiated,
    _ action: @escaping @MainActor @Sendable () async -> Void
  ) -> ModifiedContent { modified() }

  public func onAppear(perform action: (() -> Void)? = nil) -> ModifiedContent { modified() }
  public func onDisappear(perform action: (() -> Void)? = nil) -> ModifiedContent { modified() }
  public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> ModifiedContent {
    modified()
  }
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> ModifiedContent { modified() }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
  ) -> ModifiedContent { modified() }
}
