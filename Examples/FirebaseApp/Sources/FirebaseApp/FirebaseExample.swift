import FirebaseAuth
import FirebaseCore
import Foundation

/// An app's code for Firebase, with one more line, which names the server. `make run` starts that
/// server.
@main
struct FirebaseExample {
  static func main() async {
    let options = FirebaseOptions(googleAppID: "1:12345:ios:0", gcmSenderID: "12345")
    options.apiKey = "any"
    options.projectID = "demo"
    FirebaseApp.configure(options: options)

    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9099
    Auth.auth().useEmulator(withHost: "127.0.0.1", port: port)

    do {
      let result = try await Auth.auth().createUser(
        withEmail: "\(UUID().uuidString)@example.com", password: "correct horse")
      let token = try await result.user.getIDTokenResult()
      print("by \(token.signInProvider)")
      try await result.user.delete()
      print(Auth.auth().currentUser == nil ? "deleted" : "still there")
    } catch {
      let error = error as NSError
      print("\(error.domain) \(error.code): \(error.localizedDescription)")
      exit(1)
    }
  }
}
