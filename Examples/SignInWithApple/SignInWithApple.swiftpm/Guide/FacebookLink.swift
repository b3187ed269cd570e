import FirebaseAuth

/// Links Facebook as another sign-in method.
///
/// Corrected: the guide reads `AccessToken.current!.tokenString` of Facebook's SDK here. With that SDK, pass it as `token`.
func linkFacebook(token: String, done: @escaping (AuthDataResult?, Error?) -> Void) {
  // Initialize a Facebook credential with Firebase.
  let credential = FacebookAuthProvider.credential(
    withAccessToken: token
  )
  // Assuming the current user is an Apple user linking a Facebook provider.
  // Corrected: the guide omits the `?`.
  Auth.auth().currentUser?.link(with: credential) { (authResult, error) in
    // Facebook credential is linked to the current Apple user.
    // The user can now sign in with Facebook or Apple to the same Firebase
    // account.
    // ...
    done(authResult, error)
  }
}
