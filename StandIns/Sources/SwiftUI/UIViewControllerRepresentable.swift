#if !os(watchOS)
  public import UIKit

  /// A UIKit view controller in SwiftUI's views. It is never created here.
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
    /// For tests. SwiftUI creates its own context.
    public init() {}
  }
#endif
