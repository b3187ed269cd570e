import FirebaseAuth

// The snippets of Firebase's guide “Authenticate Using OpenID Connect on Apple platforms”, in its
// order. Where the guide has only a comment for the app's own code, this calls `done`.
//
// Corrected throughout: the guide writes `Auth()` instead of `Auth.auth()`, and
// `link(withCredential:)` and `reauthenticateWithCredential(withCredential:)` instead of
// `link(with:)` and `reauthenticate(with:)`, and omits every `?`.

final class OpenIDConnectSignIn {
  typealias Done = (AuthDataResult?, Error?) -> Void

  var provider = OAuthProvider(providerID: "oidc.example-provider")

  /// Optional in the guide: additional parameters of the request to the provider.
  func configureProvider() {
    provider.customParameters = [
      "login_hint": "user@example.com"
    ]
    provider.scopes = ["mail.read", "calendars.read"]
  }

  func signIn(done: @escaping Done) {
    // If you created a custom class that conforms to AuthUIDelegate,
    // pass it instead of nil:
    provider.getCredentialWith(nil) { credential, error in
      if error != nil {
        // Handle error.
        done(nil, error)
      }
      // Corrected: the guide has `credential != nil` and passes the optional.
      if let credential {
        Auth.auth().signIn(with: credential) { authResult, error in
          if error != nil {
            // Handle error.
          }
          // User is signed in.
          // IdP data available in authResult.additionalUserInfo.profile.
          // OAuth access token can also be retrieved:
          // (authResult.credential as? OAuthCredential)?.accessToken
          // OAuth ID token can also be retrieved:
          // (authResult.credential as? OAuthCredential)?.idToken
          done(authResult, error)
        }
      }
    }
  }

  /// The expressions that the guide has in comments.
  struct ProviderData {
    var profile: [String: Any]?
    var accessToken: String?
    var idToken: String?

    init(_ authResult: AuthDataResult) {
      profile = authResult.additionalUserInfo?.profile
      accessToken = (authResult.credential as? OAuthCredential)?.accessToken
      idToken = (authResult.credential as? OAuthCredential)?.idToken
    }
  }

  func link(_ credential: AuthCredential, done: @escaping Done) {
    Auth.auth().currentUser?.link(with: credential) { authResult, error in
      if error != nil {
        // Handle error.
      }
      // OIDC credential is linked to the current user.
      // IdP data available in authResult.additionalUserInfo.profile.
      done(authResult, error)
    }
  }

  func reauthenticate(_ credential: AuthCredential, done: @escaping Done) {
    Auth.auth().currentUser?.reauthenticate(with: credential) { authResult, error in
      if error != nil {
        // Handle error.
      }
      // User is re-authenticated with fresh tokens minted and
      // should be able to perform sensitive operations like account
      // deletion and email or password update.
      // IdP data available in result.additionalUserInfo.profile.
      done(authResult, error)
    }
  }

  /// “Handle the sign-in flow manually”.
  func signIn(idToken: String, done: @escaping Done) {
    let credential = OAuthProvider.credential(
      withProviderID: "oidc.example-provider",  // As registered in Firebase console.
      idToken: idToken,  // ID token from OpenID Connect flow.
      rawNonce: nil
    )
    Auth.auth().signIn(with: credential) { authResult, error in
      // Corrected: the guide has `if error`, but an error is not a Bool.
      if let error {
        // Handle error.
        done(nil, error)
        return
      }
      // User is signed in.
      // IdP data available in authResult?.additionalUserInfo?.profile
      done(authResult, nil)
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
}
