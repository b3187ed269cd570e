import SwiftUI

// The SwiftUI tutorial's button and its confirmation.

struct HomeView: View {
  @EnvironmentObject var authManager: AuthManager
  @State private var showDeleteAccountAlert = false

  var body: some View {
    NavigationStack {
      VStack {
        HStack {
          // From the tutorial's earlier parts.
          Button {
            Task { try? await authManager.signOut() }
          } label: {
            Text("Sign out")
          }

          Button {
            showDeleteAccountAlert = true
          } label: {
            Text("Delete Account")
              .font(.body.bold())
              .frame(width: 150, height: 45, alignment: .center)
              .foregroundStyle(.red)
              .background(Color(.loginBlue))
              .cornerRadius(10)
          }
        }
      }
      .confirmationDialog("Delete Account", isPresented: $showDeleteAccountAlert) {
        Button("Yes, Delete", role: .destructive) {
          Task {
            do {
              try await authManager.deleteUserAccount()
            } catch AuthErrors.ReauthenticateApple {
              // AppleID re-authentication failed
            } catch AuthErrors.RevokeAppleID {
              // AppleID token revocation failed
            } catch AuthErrors.ReauthenticateGoogle {
              // Google re-authentication failed
            } catch AuthErrors.RevokeGoogle {
              // Google token revocation failed
            } catch {
              // Show generic error message
            }
          }
        }
      } message: {
        Text("Deleting account is permanent. Are you sure you want to delete your account?")
      }
    }
  }
}
