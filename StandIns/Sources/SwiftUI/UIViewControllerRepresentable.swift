#if !os(watchOS)
  public import UIKit

  /// A view controller of UIKit's among SwiftUI's views. Nothing makes it here.
  @preconcurrency @MainActor public protocol UIViewControllerRepresentable: View
  where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
  }

  extension UIViewControllerRepresentable {
    public func draw(on screen: Screen) {}
    public var body: Never { fatalError("Nothing is drawn here.") }
  }

  @MainActor
  public struct UIViewControllerRepresentableContext<
    Representable: UIViewControllerRepresentable
  > {
    /// For a test: SwiftUI makes its own.
    public init() {}
  }
#endif
