import FirebaseAuth
import FirebaseCore
import Foundation
import SwiftUI

@main
struct SignInWithAppleApp: App {
  init() {
    Self.configure()
  }

  var body: some Scene {
    WindowGroup {
      GuideView()
        .onOpenURL { url in _ = Auth.auth().canHandle(url) }
    }
  }

  static var resources: Bundle { .module }

  /// Your own app only calls `FirebaseApp.configure()`: its plist is in the app's bundle. A
  /// package's resources are in a separate bundle.
  static func configure() {
    guard FirebaseApp.app() == nil else { return }
    if let path = resources.path(forResource: "GoogleService-Info", ofType: "plist"),
      let options = FirebaseOptions(contentsOfFile: path)
    {
      FirebaseApp.configure(options: options)
    } else {
      FirebaseApp.configure()
    }
  }
}
