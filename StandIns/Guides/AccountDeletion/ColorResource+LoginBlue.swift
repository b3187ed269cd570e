import SwiftUI

// What Xcode generates for the color in the tutorial's asset catalogue.
extension ColorResource {
  static let loginBlue = ColorResource(name: "LoginBlue", bundle: .main)
}
