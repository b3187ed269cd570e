import SwiftUI

// The SwiftUI tutorial's button and its confirmation.

struct HomeView: View {
  @EnvironmentObject var authManager: AuthManager
  @State private var showDeleteAccountAlert = false
  @State private var message: ErrorMessage?

  var body: some View {
    NavigationStack {
      VStack {
        HStack {
          // From the tutorial's earlier parts.
          Button {
            Task {
              do {
                try await authManager.signOut()
              } catch {
                message = ErrorMessage(error)
              }
            }
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
              message = ErrorMessage(AuthErrors.ReauthenticateApple)
            } catch AuthErrors.RevokeAppleID {
              // AppleID token revocation failed
              message = ErrorMessage(AuthErrors.RevokeAppleID)
            } catch AuthErrors.ReauthenticateGoogle {
              // Google re-authentication failed
              message = ErrorMessage(AuthErrors.ReauthenticateGoogle)
            } catch AuthErrors.RevokeGoogle {
              // Google token revocation failed
              message = ErrorMessage(AuthErrors.RevokeGoogle)
            } catch {
              // Show generic error message
              message = ErrorMessage(error)
            }
          }
        }
      } message: {
        Text("Deleting account is permanent. Are you sure you want to delete your account?")
      }
      .errorAlert($message)
    }
  }
}
