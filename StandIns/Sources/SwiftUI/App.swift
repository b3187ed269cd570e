public import Foundation

@preconcurrency @MainActor public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor var body: Body { get }
}

extension Never: Scene {}

extension Scene {
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some Scene { self }
}

@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@preconcurrency @MainActor public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor var body: Body { get }
  @MainActor init()
}

extension App {
  /// Shows nothing: a test creates the app and examines its parts.
  @MainActor public static func main() { _ = Self() }
}
