import AuthenticationServices
import FirebaseAuth
import GoogleSignIn
import SwiftUI

// The SwiftUI tutorial's manager of who is signed in.

// From the tutorial's earlier parts, which it doesn't quote again: written anew, to the same names.
enum AuthState {
  case authenticated
  case signedIn
  case signedOut
}

@MainActor
class AuthManager: ObservableObject {
  @Published var user: User?
  @Published var authState = AuthState.signedOut

  let firestore = FirestoreManager()
  private var authStateHandle: AuthStateDidChangeListenerHandle?

  init() {
    configureAuthStateChanges()
    // Corrected: the tutorial says in words where the call goes: inside a `Task`.
    Task { await verifySignInProvider() }
  }

  func configureAuthStateChanges() {
    authStateHandle = Auth.auth().addStateDidChangeListener { auth, user in
      self.updateState(user: user)
      // Corrected: the tutorial awaits in the listener itself, which is no async closure.
      Task {
        if let user {
          do {
            _ = try await self.firestore.getUserDocument(user)
          } catch FirestoreErrors.DocumentDoesNotExist {
            print("User Document Does Not Exist!")
            _ = await self.verifyAuthTokenResult()
            return
          } catch {
            // Other errors
          }
        }
      }
    }
  }

  func removeAuthStateListener() {
    if let authStateHandle { Auth.auth().removeStateDidChangeListener(authStateHandle) }
  }

  func updateState(user: User?) {
    let user = Auth.auth().currentUser
    self.user = user
    authState = user.map { $0.isAnonymous ? .authenticated : .signedIn } ?? .signedOut
  }

  func signOut() async throws {
    if Auth.auth().currentUser != nil {
      GIDSignIn.sharedInstance.signOut()
      try Auth.auth().signOut()
    }
  }

  // The tutorial's own from here on.

  private func verifySignInWithAppleID() async -> Bool {
    let appleIDProvider = ASAuthorizationAppleIDProvider()

    guard let providerData = Auth.auth().currentUser?.providerData,
      let appleProviderData = providerData.first(where: { $0.providerID == "apple.com" })
    else {
      return false
    }

    do {
      // 1.
      let credentialState = try await appleIDProvider.credentialState(
        forUserID: appleProviderData.uid)
      return credentialState != .revoked && credentialState != .notFound
    } catch {
      return false
    }
  }

  private func verifyGoogleSignIn() async -> Bool {
    guard let providerData = Auth.auth().currentUser?.providerData,
      providerData.contains(where: { $0.providerID == "google.com" })
    else { return false }

    do {
      // 2.
      try await GIDSignIn.sharedInstance.restorePreviousSignIn()
      return true
    } catch {
      return false
    }
  }

  // `private` in the tutorial; its test calls it.
  func verifySignInProvider() async {
    guard let providerData = Auth.auth().currentUser?.providerData else { return }
    // 3.
    var isAppleCredentialRevoked = false
    var isGoogleCredentialRevoked = false

    if providerData.contains(where: { $0.providerID == "apple.com" }) {
      isAppleCredentialRevoked = await !verifySignInWithAppleID()
    }

    if providerData.contains(where: { $0.providerID == "google.com" }) {
      isGoogleCredentialRevoked = await !verifyGoogleSignIn()
    }

    // 4. The tutorial's condition, kept: who is signed in with one provider, or is shown as signed
    // in, stays. `AccountManager` of GatehouseClient decides otherwise: see README.md.
    if isAppleCredentialRevoked && isGoogleCredentialRevoked {
      if authState != .signedIn {
        do {
          try await self.signOut()
        } catch {
          print("FirebaseAuthError: verifySignInProvider() failed. \(error)")
        }
      }
    }
  }

  // `private` in the tutorial; its test calls it.
  func verifyAuthTokenResult() async -> Bool {
    do {
      _ = try await Auth.auth().currentUser?.getIDTokenResult(forcingRefresh: true)
      return true
    } catch {
      print("Error retrieving id token result. \(error)")
      return false
    }
  }
}
