import FirebaseCore
import Foundation

/// The servers' addresses. Your own app has the address of Gatehouse in its
/// `GoogleService-Info.plist`, and only calls `FirebaseApp.configure()`.
@MainActor
enum ExampleServer {
  /// `gatehouse serve --dev` (`make run`), at the address that Xcode's simulator uses. A device
  /// needs an address with `https`.
  static var authentication = "http://127.0.0.1:9099"
  /// The back end for the users' documents: `Examples/NotesAPI`.
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
