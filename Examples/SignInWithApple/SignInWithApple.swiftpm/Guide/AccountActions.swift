import FirebaseAuth

// What Firebase's guide “Authenticate Using Apple” shows beside its view controller. Where it ends
// in `// ...` the app goes on: here it calls `done`.

/// Proves again who is signed in.
func reauthenticate(
  appleIdToken: String, rawNonce: String, done: @escaping (AuthDataResult?, Error?) -> Void
) {
  // Initialize a fresh Apple credential with Firebase.
  let credential = OAuthProvider.credential(
    withProviderID: "apple.com",
    // Corrected: the guide has the label of Objective-C, `IDToken`.
    idToken: appleIdToken,
    rawNonce: rawNonce
  )
  // Reauthenticate current Apple user with fresh Apple credential.
  // Corrected: the guide leaves out the `?`; nobody may be signed in.
  Auth.auth().currentUser?.reauthenticate(with: credential) { (authResult, error) in
    // Corrected: the guide has `error != nil`, and so goes on when it failed.
    guard error == nil else { return done(nil, error) }
    // Apple user successfully re-authenticated.
    // ...
    done(authResult, nil)
  }
}

/// What the guide says in words: an Apple credential works once, so the one to go on with is in the
/// error of the attempt to link.
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
