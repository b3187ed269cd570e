import FirebaseAuth

// What pages print and Google's SDK doesn't have. scripts/stand-ins checks that the compiler offers the
// right name: the text and the columns of its fix.

func misspelled(_ credential: AuthCredential, _ user: User, _ error: AuthErrorCode) {
  // expected-error@+1 {{'init()' has been replaced by 'Auth.auth()'}} {{7-11=Auth.auth}}
  _ = Auth()
  // expected-error@+1 {{'link(with:completion:)'}} {{13-27=with}}
  user.link(withCredential: credential) { _, _ in }
  // expected-error@+1 {{'reauthenticate(with:completion:)'}} {{8-36=reauthenticate}} {{37-51=with}}
  user.reauthenticateWithCredential(withCredential: credential) { _, _ in }
  // expected-error@+1 {{'missingOrInvalidNonce'}} {{22-43=missingOrInvalidNonce}}
  _ = error.code == .MissingOrInvalidNonce
  // expected-error@+1 {{'signIn(with:completion:)'}} {{15-36=signIn}}
  Auth.auth().signInAndRetrieveData(with: credential) { _, _ in }
  // expected-error@+1 {{'link(with:completion:)'}} {{8-27=link}}
  user.linkAndRetrieveData(with: credential) { _, _ in }
  // expected-error@+1 {{'reauthenticate(with:completion:)'}} {{8-37=reauthenticate}}
  user.reauthenticateAndRetrieveData(with: credential) { _, _ in }
  // expected-error@+1 {{'fetchSignInMethods(forEmail:completion:)'}} {{15-29=fetchSignInMethods}}
  Auth.auth().fetchProviders(forEmail: "") { _, _ in }
}
