import AuthenticationServices
import FirebaseAuth
import GoogleSignIn

// The complete account deletion of the SwiftUI tutorial: re-authenticate, revoke, delete.

enum AuthErrors: Error {
  case ReauthenticateApple
  case ReauthenticateGoogle
  case RevokeAppleID
  case RevokeGoogle
  // Not in the tutorial, whose code doesn't delete the document.
  case DeleteDocument
}

extension AuthManager {
  func deleteUserAccount() async throws {
    guard let user = Auth.auth().currentUser,
      let lastSignInDate = user.metadata.lastSignInDate
    else { return }
    // 1.
    let needsReAuth = !lastSignInDate.isWithinPast(minutes: 5)
    // 2.
    let providers = user.providerData.map { $0.providerID }

    do {
      if providers.contains("apple.com") {
        // 3.
        let appleIDCredential = try await AppleSignInManager.shared.requestAppleAuthorization()

        // 4.
        if needsReAuth {
          try await reauthenticateAppleID(appleIDCredential, for: user)
        }
        try await revokeAppleIDToken(appleIDCredential)
      }
      if providers.contains("google.com") {
        // 4.
        if needsReAuth {
          try await reauthenticateGoogleAccount(for: user)
        }
        try await revokeGoogleAccount()
      }
      // The document is deleted before the account, because afterwards the user has no valid token
      // for it. If the account could not be deleted, the app creates the document again.
      try await deleteUserDocument(of: user)
      // 5.
      try await user.delete()
      // 6.
      updateState(user: user)
    } catch {
      print("FirebaseAuthError: Failed to delete auth user. \(error)")
      throw error
    }
  }

  // `private` in the tutorial, like the three functions below. Here a test calls them.
  func reauthenticateAppleID(
    _ appleIDCredential: ASAuthorizationAppleIDCredential,
    for user: User
  ) async throws {
    do {
      // 1.
      guard let appleIDToken = appleIDCredential.identityToken else { return }
      guard let idTokenString = String(data: appleIDToken, encoding: .utf8) else { return }
      let nonce = AppleSignInManager.nonce
      // 2.
      let credential = OAuthProvider.credential(
        withProviderID: "apple.com",
        idToken: idTokenString,
        rawNonce: nonce
      )
      try await user.reauthenticate(with: credential)
    } catch {
      throw AuthErrors.ReauthenticateApple
    }
  }

  func reauthenticateGoogleAccount(for user: User) async throws {
    do {
      // 1.
      guard let googleUser = try await GoogleSignInManager.shared.signInWithGoogle() else {
        return
      }
      guard let idToken = googleUser.idToken?.tokenString else { return }
      // 2.
      let credential = GoogleAuthProvider.credential(
        withIDToken: idToken,
        accessToken: googleUser.accessToken.tokenString
      )
      try await user.reauthenticate(with: credential)
    } catch {
      throw AuthErrors.ReauthenticateGoogle
    }
  }

  func revokeAppleIDToken(_ appleIDCredential: ASAuthorizationAppleIDCredential) async throws {
    guard let authorizationCode = appleIDCredential.authorizationCode else { return }
    guard let authCodeString = String(data: authorizationCode, encoding: .utf8) else { return }

    do {
      try await Auth.auth().revokeToken(withAuthorizationCode: authCodeString)
    } catch {
      throw AuthErrors.RevokeAppleID
    }
  }

  func revokeGoogleAccount() async throws {
    do {
      try await GIDSignIn.sharedInstance.disconnect()
    } catch {
      throw AuthErrors.RevokeGoogle
    }
  }
}

extension AuthManager {
  private func deleteUserDocument(of user: User) async throws {
    do {
      try await firestore.deleteUserDocument(user)
    } catch {
      throw AuthErrors.DeleteDocument
    }
  }
}

extension Date {
  func isWithinPast(minutes: Int) -> Bool {
    let now = Date.now
    let timeAgo = Date.now.addingTimeInterval(-1 * TimeInterval(60 * minutes))
    let range = timeAgo...now
    return range.contains(self)
  }
}
