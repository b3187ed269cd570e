import FirebaseCore
import Foundation

/// Where the servers are. An app of yours has this in its `GoogleService-Info.plist`, and calls
/// `FirebaseApp.configure()` alone.
@MainActor
enum ExampleServer {
  /// `gatehouse serve --dev` (`make run`), as the simulator of Xcode reaches it. A device needs an
  /// address with `https`.
  static var authentication = "http://127.0.0.1:9099"
  /// Where the users' documents are: `Examples/NotesAPI`.
  static var documents = "http://127.0.0.1:8080"

  static func configure() {
    guard FirebaseApp.app() == nil else { return }
    let options = FirebaseOptions(googleAppID: "1:12345:ios:0a1b2c3d4e5f", gcmSenderID: "12345")
    options.apiKey = "any-key"
    options.projectID = "demo"
    options.bundleID = "com.example.app"
    options.clientID = "demo.apps.example.com"
    options.serverURL = URL(string: authentication)
    FirebaseApp.configure(options: options)
  }
}
