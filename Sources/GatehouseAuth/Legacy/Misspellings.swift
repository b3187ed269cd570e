// What Firebase's pages and older tutorials print, and Google's SDK doesn't have, or no longer has. It
// doesn't compile here either, but Xcode offers the right name. `Auth()` is in the class's body.

extension Auth {
  @available(*, unavailable, renamed: "signIn(with:completion:)")
  public func signInAndRetrieveData(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) { signIn(with: credential, completion: completion) }

  @available(*, unavailable, renamed: "fetchSignInMethods(forEmail:completion:)")
  public func fetchProviders(
    forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil
  ) {}
}

extension User {
  @available(*, unavailable, renamed: "link(with:completion:)")
  public func link(
    withCredential credential: AuthCredential,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) { link(with: credential, completion: completion) }

  @available(*, unavailable, renamed: "link(with:completion:)")
  public func linkAndRetrieveData(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) { link(with: credential, completion: completion) }

  @available(*, unavailable, renamed: "reauthenticate(with:completion:)")
  public func reauthenticateWithCredential(
    withCredential credential: AuthCredential,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) { reauthenticate(with: credential, completion: completion) }

  @available(*, unavailable, renamed: "reauthenticate(with:completion:)")
  public func reauthenticateAndRetrieveData(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) { reauthenticate(with: credential, completion: completion) }
}

extension AuthErrorCode {
  @available(*, unavailable, renamed: "missingOrInvalidNonce")
  public static var MissingOrInvalidNonce: AuthErrorCode { .missingOrInvalidNonce }
}
