public import Foundation

// Core Image, as far as a QR code needs it. On Apple's platforms, `CGImage` comes with it.

public final class CGImage: Sendable {}

public struct CIImage: Sendable {
  public let extent: CGRect
}

/// A filter that draws nothing.
public final class CIFilter {
  private var inputs: [String: Any] = [:]

  /// Nil for a filter that doesn't exist.
  public init?(name: String) { if name != "CIQRCodeGenerator" { return nil } }

  public func setValue(_ value: Any?, forKey key: String) { inputs[key] = value }

  public var outputImage: CIImage? {
    inputs["inputMessage"] is Data
      ? CIImage(extent: CGRect(x: 0, y: 0, width: 21, height: 21)) : nil
  }
}

public final class CIContext {
  public init() {}
  public func createCGImage(_ image: CIImage, from extent: CGRect) -> CGImage? { CGImage() }
}
