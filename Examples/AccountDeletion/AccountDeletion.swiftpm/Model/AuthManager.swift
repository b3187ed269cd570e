import AuthenticationServices
import FirebaseAuth
import GoogleSignIn
import SwiftUI

// The SwiftUI tutorial's manager of the signed-in user.

// The tutorial's earlier parts define this type. Here it is newly written, with the same names.
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
  /// The document of a user who is signing in will be written soon, so its absence has no meaning.
  private var isWritingDocument = false

  init() {
    configureAuthStateChanges()
    // Corrected: the tutorial only says that the call belongs in a `Task`.
    Task { await verifySignInProvider() }
  }

  func configureAuthStateChanges() {
    authStateHandle = Auth.auth().addStateDidChangeListener { auth, user in
      self.updateState(user: user)
      // The document will be written soon.
      guard !self.isWritingDocument else { return }
      // Corrected: the tutorial awaits in the listener itself, which is not an async closure.
      Task {
        if let user {
          do {
            _ = try await self.firestore.getUserDocument(user)
          } catch FirestoreErrors.DocumentDoesNotExist {
            print("User Document Does Not Exist!")
            // If the account exists without a document, the document could not be written at the
            // sign-in. It is written now, so that the next launch needs no forced refresh.
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

  // The tutorial's earlier parts have the sign-ins. Here they are newly written.

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

  /// “One of the good practices is to save the user's profile data in a document”: written at the
  /// sign-in, so that a launch finds it.
  func signIn(with credential: AuthCredential) async throws {
    isWritingDocument = true
    defer { isWritingDocument = false }
    let result = try await Auth.auth().signIn(with: credential)
    updateState(user: result.user)
    // The user is signed in even if this fails; the next launch writes the document.
    try? await firestore.setUserDocument(result.user)
  }

  func signOut() async throws {
    if Auth.auth().currentUser != nil {
      GIDSignIn.sharedInstance.signOut()
      try Auth.auth().signOut()
    }
  }

  // From here on, the tutorial's own code.

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

  // `private` in the tutorial. Here a test calls it.
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

    // 4. The tutorial's condition, unchanged: it doesn't sign out a user who has only one of the
    //    providers, or who is shown as signed in. `AccountManager` of GatehouseClient decides
    //    differently: see README.md.
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

  // `private` in the tutorial. Here a test calls it.
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
