public import Foundation

public enum Visibility: Sendable { case automatic, visible, hidden }

extension View {
  public func confirmationDialog<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: @escaping @MainActor () -> Actions
  ) -> ModifiedContent {
    modified { screen in
      screen.present(String(title), isPresented) { actions().draw(on: screen) }
    }
  }

  public func confirmationDialog<Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: @escaping @MainActor () -> Actions,
    @ViewBuilder message: @escaping @MainActor () -> Message
  ) -> ModifiedContent {
    modified { screen in
      screen.present(String(title), isPresented) {
        message().draw(on: screen)
        actions().draw(on: screen)
      }
    }
  }

  public func alert<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    @ViewBuilder actions: @escaping @MainActor () -> Actions
  ) -> ModifiedContent {
    modified { screen in
      screen.present(String(title), isPresented) { actions().draw(on: screen) }
    }
  }

  public func alert<Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    @ViewBuilder actions: @escaping @MainActor () -> Actions,
    @ViewBuilder message: @escaping @MainActor () -> Message
  ) -> ModifiedContent {
    modified { screen in
      screen.present(String(title), isPresented) {
        message().draw(on: screen)
        actions().draw(on: screen)
      }
    }
  }

  public func alert<Actions: View, Message: View, Value>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, presenting: Value?,
    @ViewBuilder actions: (Value) -> Actions, @ViewBuilder message: (Value) -> Message
  ) -> ModifiedContent { modified() }

  public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping @MainActor () -> Content
  ) -> ModifiedContent {
    modified { screen in
      screen.present("", isPresented, closesByButtons: false) { content().draw(on: screen) }
    }
  }

  public func task(
    priority: TaskPriority = .userInitiated,
    _ action: @escaping @MainActor @Sendable () async -> Void
  ) -> ModifiedContent { modified { $0.tasks.append(action) } }

  public func task<ID: Equatable>(
    id: ID, priority: TaskPriority = .userInitiated,
    _ action: @escaping @MainActor @Sendable () async -> Void
  ) -> ModifiedContent { modified { $0.tasks.append(action) } }

  public func onAppear(perform action: (() -> Void)? = nil) -> ModifiedContent { modified() }
  public func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> ModifiedContent {
    modified { if let action { $0.disappearances.append(action) } }
  }
  public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> ModifiedContent {
    modified()
  }
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> ModifiedContent { modified() }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
  ) -> ModifiedContent { modified() }
}
