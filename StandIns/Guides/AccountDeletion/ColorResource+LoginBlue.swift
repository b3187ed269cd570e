import SwiftUI

// What Xcode makes of the color in the tutorial's asset catalogue.
extension ColorResource {
  static let loginBlue = ColorResource(name: "LoginBlue", bundle: .main)
}
