import FirebaseAuth

// The other code of Firebase's guide “Authenticate Using Apple”. Where the guide has `// ...` for
// the app's own code, these functions call `done`.

/// Re-authenticates the signed-in user.
func reauthenticate(
  appleIdToken: String, rawNonce: String, done: @escaping (AuthDataResult?, Error?) -> Void
) {
  // Initialize a fresh Apple credential with Firebase.
  let credential = OAuthProvider.credential(
    withProviderID: "apple.com",
    // Corrected: the guide has Objective-C's label, `IDToken`.
    idToken: appleIdToken,
    rawNonce: rawNonce
  )
  // Reauthenticate current Apple user with fresh Apple credential.
  // Corrected: the guide omits the `?`; there may be no signed-in user.
  Auth.auth().currentUser?.reauthenticate(with: credential) { (authResult, error) in
    // Corrected: the guide has `error != nil`, and so continues after a failure.
    guard error == nil else { return done(nil, error) }
    // Apple user successfully re-authenticated.
    // ...
    done(authResult, nil)
  }
}

/// The guide describes this without code: an Apple credential works once. So the error of a failed
/// link contains a new credential for the sign-in.
func linkAppleOrSignIn(
  with credential: AuthCredential, done: @escaping (AuthDataResult?, Error?) -> Void
) {
  Auth.auth().currentUser?.link(with: credential) { authResult, error in
    guard let error = error as NSError? else { return done(authResult, nil) }
    if error.code == AuthErrorCode.credentialAlreadyInUse.rawValue,
      let updated = error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? AuthCredential
    {
      Auth.auth().signIn(with: updated) { done($0, $1) }
    } else {
      done(nil, error)
    }
  }
}

func signOut() {
  let firebaseAuth = Auth.auth()
  do {
    try firebaseAuth.signOut()
  } catch let signOutError as NSError {
    print("Error signing out: %@", signOutError)
  }
}
