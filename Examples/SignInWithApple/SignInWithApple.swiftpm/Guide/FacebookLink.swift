// Compiled only with Facebook's SDK: add the package https://github.com/facebook/facebook-ios-sdk
// and its product FacebookCore.
#if canImport(FacebookCore)
  import FacebookCore
  import FirebaseAuth

  /// Links Facebook as another sign-in method.
  func linkFacebook(done: @escaping (AuthDataResult?, Error?) -> Void) {
    // Initialize a Facebook credential with Firebase.
    // swift-format-ignore: NeverForceUnwrap
    let credential = FacebookAuthProvider.credential(
      withAccessToken: AccessToken.current!.tokenString
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
#endif
