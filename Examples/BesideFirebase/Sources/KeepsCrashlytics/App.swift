import FirebaseCore
import FirebaseCrashlytics
import FirebaseMessaging
import GatehouseAuth

@main
struct App {
  static func main() async throws {
    // Both modules have a FirebaseApp. Google's reads GoogleService-Info.plist, ours Gatehouse-Info.plist.
    FirebaseCore.FirebaseApp.configure()
    GatehouseCore.FirebaseApp.configure()

    _ = Auth.auth().addStateDidChangeListener { _, user in
      Crashlytics.crashlytics().setUserID(user?.uid)
    }
    try await Auth.auth().signInAnonymously()
    print("push token: \(try await Messaging.messaging().token())")
  }
}
