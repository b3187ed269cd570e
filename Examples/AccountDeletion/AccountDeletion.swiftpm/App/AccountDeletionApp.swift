import FirebaseAuth
import FirebaseCore
import GoogleSignIn
import SwiftUI

@main
struct AccountDeletionApp: App {
  @StateObject var authManager: AuthManager

  init() {
    ExampleServer.configure()
    // Created here because the manager needs the configured app.
    _authManager = StateObject(wrappedValue: AuthManager())
  }

  var body: some Scene {
    WindowGroup {
      RootView()
        .environmentObject(authManager)
        // Google's sign-in returns by a URL.
        .onOpenURL { url in _ = GIDSignIn.sharedInstance.handle(url) }
    }
  }
}

/// Chooses the page. The tutorial's earlier parts have another view for this.
struct RootView: View {
  @EnvironmentObject var authManager: AuthManager

  var body: some View {
    if authManager.authState == .signedOut {
      LoginView()
    } else {
      HomeView()
    }
  }
}
