import ObjectiveC
import UIKit

extension UIControl {
  func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {}
}
