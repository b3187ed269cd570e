import SwiftUI

// The tutorial's earlier parts have this view. Here it is newly written.

struct LoginView: View {
  @EnvironmentObject var authManager: AuthManager
  @State private var message: ErrorMessage?

  var body: some View {
    VStack(spacing: 12) {
      Button("Sign in with Apple") { signIn { try await authManager.signInWithApple() } }
      Button("Sign in with Google") { signIn { try await authManager.signInWithGoogle() } }
    }
    .errorAlert($message)
  }

  private func signIn(_ work: @escaping () async throws -> Void) {
    Task {
      do {
        try await work()
      } catch {
        message = ErrorMessage(error)
      }
    }
  }
}
