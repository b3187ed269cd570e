import FirebaseFirestore
import Foundation
import GatehouseAuth

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main
struct App {
  static func main() async throws {
    GoogleSession.configure()
    GatehouseCore.FirebaseApp.configure()

    // First the user who is signed in, then every change, one after the other.
    for await user in Auth.auth().authStateChanges {
      do {
        try await follow(user)
        guard let user else { continue }
        let document = Firestore.firestore().document("users/\(user.uid)")
        print(try await document.getDocument().data() ?? [:])
      } catch {
        print("Firestore is not available: \(error)")
      }
    }
  }

  /// Gives Google's Auth the user of ours.
  static func follow(_ user: User?) async throws {
    guard let user else { return try GoogleSession.end() }
    // Google's session lasts until it is ended, also over a restart of the app.
    if GoogleSession.uid == user.uid { return }
    try GoogleSession.end()
    guard let url = URL(string: "https://api.example.com/firebase-token") else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("Bearer \(try await user.getIDToken())", forHTTPHeaderField: "authorization")
    let (body, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
      throw URLError(.userAuthenticationRequired)
    }
    try await GoogleSession.begin(customToken: String(decoding: body, as: UTF8.self))
  }
}
