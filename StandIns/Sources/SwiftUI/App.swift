public import Foundation

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@preconcurrency @MainActor public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor var body: Body { get }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension Never: Scene {}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension Scene {
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some Scene { self }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct WindowGroup<Content: View>: Scene {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("Nothing is drawn here.") }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@preconcurrency @MainActor public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor var body: Body { get }
  @MainActor init()
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension App {
  /// Shows nothing: a test creates the app and examines its parts.
  @MainActor public static func main() { _ = Self() }
}
