public import Foundation

@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public enum Visibility: Sendable { case automatic, visible, hidden }

extension View {
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public func confirmationDialog<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: @escaping @MainActor () -> Actions
  ) -> ModifiedContent {
    modified { screen in
      screen.present(String(title), isPresented) { actions().draw(on: screen) }
    }
  }

  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
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

  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public func alert<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>,
    @ViewBuilder actions: @escaping @MainActor () -> Actions
  ) -> ModifiedContent {
    modified { screen in
      screen.present(String(title), isPresented) { actions().draw(on: screen) }
    }
  }

  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
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

  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
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

  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public func task(
    priority: TaskPriority = .userInitiated,
    _ action: @escaping @MainActor @Sendable () async -> Void
  ) -> ModifiedContent { modified { $0.tasks.append(action) } }

  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public func task<ID: Equatable>(
    id: ID, priority: TaskPriority = .userInitiated,
    _ action: @escaping @MainActor @Sendable () async -> Void
  ) -> ModifiedContent { modified { $0.tasks.append(action) } }

  public func onAppear(perform action: (() -> Void)? = nil) -> ModifiedContent { modified() }
  public func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> ModifiedContent {
    modified { if let action { $0.disappearances.append(action) } }
  }
  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> ModifiedContent {
    modified()
  }
  @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> ModifiedContent { modified() }
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
  ) -> ModifiedContent { modified() }
}
