import FirebaseAuth

// What pages print and Google's SDK doesn't have. scripts/stand-ins checks that the compiler offers the
// right name: the text and the columns of its fix.

func misspelled(_ credential: AuthCredential, _ user: User, _ error: AuthErrorCode) {
  _ = Auth()  // expected-error {{'init()' has been replaced by 'Auth.auth()'}} {{7-11=Auth.auth}}
  user.link(withCredential: credential) { _, _ in }  // expected-error {{'link(with:completion:)'}} {{13-27=with}}
  user.reauthenticateWithCredential(withCredential: credential) { _, _ in }  // expected-error {{'reauthenticate(with:completion:)'}} {{8-36=reauthenticate}} {{37-51=with}}
  _ = error.code == .MissingOrInvalidNonce  // expected-error {{'missingOrInvalidNonce'}} {{22-43=missingOrInvalidNonce}}
  Auth.auth().signInAndRetrieveData(with: credential) { _, _ in }  // expected-error {{'signIn(with:completion:)'}} {{15-36=signIn}}
  user.linkAndRetrieveData(with: credential) { _, _ in }  // expected-error {{'link(with:completion:)'}} {{8-27=link}}
  user.reauthenticateAndRetrieveData(with: credential) { _, _ in }  // expected-error {{'reauthenticate(with:completion:)'}} {{8-37=reauthenticate}}
  Auth.auth().fetchProviders(forEmail: "") { _, _ in }  // expected-error {{'fetchSignInMethods(forEmail:completion:)'}} {{15-29=fetchSignInMethods}}
}
