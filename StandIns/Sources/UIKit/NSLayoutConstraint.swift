#if !os(watchOS)
  public import Foundation

  /// The positions of views. Nothing is laid out here.
  @preconcurrency @MainActor open class NSLayoutConstraint: NSObject {
    public class func activate(_ constraints: [NSLayoutConstraint]) {}
  }

  @preconcurrency @MainActor open class NSLayoutXAxisAnchor: NSObject {
    public func constraint(equalTo anchor: NSLayoutXAxisAnchor) -> NSLayoutConstraint {
      NSLayoutConstraint()
    }
    public func constraint(equalTo anchor: NSLayoutXAxisAnchor, constant: CGFloat)
      -> NSLayoutConstraint
    { NSLayoutConstraint() }
  }

  @preconcurrency @MainActor open class NSLayoutYAxisAnchor: NSObject {
    public func constraint(equalTo anchor: NSLayoutYAxisAnchor) -> NSLayoutConstraint {
      NSLayoutConstraint()
    }
    public func constraint(equalTo anchor: NSLayoutYAxisAnchor, constant: CGFloat)
      -> NSLayoutConstraint
    { NSLayoutConstraint() }
  }

  @preconcurrency @MainActor open class NSLayoutDimension: NSObject {
    public func constraint(equalTo anchor: NSLayoutDimension) -> NSLayoutConstraint {
      NSLayoutConstraint()
    }
    public func constraint(equalToConstant: CGFloat) -> NSLayoutConstraint { NSLayoutConstraint() }
  }

  extension UIView {
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension() }
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
  }
#endif
