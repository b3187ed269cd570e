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
  /// The document of a user who signs in now is about to be written: that it isn't there says nothing.
  private var isWritingDocument = false

  init() {
    configureAuthStateChanges()
    // Corrected: the tutorial says in words where the call goes: inside a `Task`.
    Task { await verifySignInProvider() }
  }

  func configureAuthStateChanges() {
    authStateHandle = Auth.auth().addStateDidChangeListener { auth, user in
      self.updateState(user: user)
      // About to be written.
      guard !self.isWritingDocument else { return }
      // Corrected: the tutorial awaits in the listener itself, which is no async closure.
      Task {
        if let user {
          do {
            _ = try await self.firestore.getUserDocument(user)
          } catch FirestoreErrors.DocumentDoesNotExist {
            print("User Document Does Not Exist!")
            // The account is there, and its document isn't: it couldn't be written at the sign-in.
            // Written now, so that the next launch needs no forced refresh.
            if await self.verifyAuthTokenResult() {
              try? await self.firestore.setUserDocument(user)
            }
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

  // The sign-ins are of the tutorial's earlier parts: written anew.

  func signInWithApple() async throws {
    let appleIDCredential = try await AppleSignInManager.shared.requestAppleAuthorization()
    guard let appleIDToken = appleIDCredential.identityToken,
      let idTokenString = String(data: appleIDToken, encoding: .utf8)
    else { throw AuthErrorCode.invalidCredential }
    try await signIn(
      with: OAuthProvider.appleCredential(
        withIDToken: idTokenString, rawNonce: AppleSignInManager.nonce,
        fullName: appleIDCredential.fullName))
  }

  func signInWithGoogle() async throws {
    guard let googleUser = try await GoogleSignInManager.shared.signInWithGoogle(),
      let idToken = googleUser.idToken?.tokenString
    else { throw AuthErrorCode.invalidCredential }
    try await signIn(
      with: GoogleAuthProvider.credential(
        withIDToken: idToken, accessToken: googleUser.accessToken.tokenString))
  }

  /// “One of the good practices is to save the user's profile data in a document”: at the sign-in, so
  /// that a launch finds it.
  func signIn(with credential: AuthCredential) async throws {
    isWritingDocument = true
    defer { isWritingDocument = false }
    let result = try await Auth.auth().signIn(with: credential)
    updateState(user: result.user)
    // Without a document the user is signed in all the same; the next launch writes it.
    try? await firestore.setUserDocument(result.user)
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
