import Foundation

@preconcurrency @MainActor open class UIColor: NSObject {
  public nonisolated override init() { super.init() }
}
