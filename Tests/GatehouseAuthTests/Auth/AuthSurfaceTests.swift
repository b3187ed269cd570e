import GatehouseAuth
import GatehouseCore
import Foundation
import Testing

/// Calls everything that Google's `Auth` and `User` declare, as apps write it. The compiler checks
/// it: nothing here runs.
private enum AuthSurface {
  static func read(_ auth: Auth) {
    let _: (Auth.Type) = Auth.self
    let _: FirebaseApp? = auth.app
    let _: User? = auth.currentUser
    let _: String? = auth.languageCode
    let _: AuthSettings? = auth.settings
    let _: String? = auth.userAccessGroup
    let _: Bool = auth.shareAuthStateAcrossDevices
    let _: String? = auth.tenantID
    let _: String? = auth.customAuthDomain
    let _: Data? = auth.apnsToken
    let _: String? = auth.getUserID()
    let _: Bool = auth.canHandle(URL(filePath: "/"))
    let _: Bool = auth.canHandleNotification([:])
    let _: NSNotification.Name = Auth.authStateDidChangeNotification
    let _: NSNotification.Name = .AuthStateDidChange
    let handle: AuthStateDidChangeListenerHandle = auth.addStateDidChangeListener { _, _ in }
    auth.removeStateDidChangeListener(handle)
    let tokens: IDTokenDidChangeListenerHandle = auth.addIDTokenDidChangeListener { _, _ in }
    auth.removeIDTokenDidChangeListener(tokens)
    auth.setAPNSToken(Data(), type: .unknown)
    auth.useAppLanguage()
  }

  static func withHandlers(
    _ auth: Auth, _ user: User, _ credential: AuthCredential, _ provider: OAuthProvider,
    _ settings: ActionCodeSettings
  ) {
    let done: (AuthDataResult?, (any Error)?) -> Void = { _, _ in }
    let ended: ((any Error)?) -> Void = { _ in }
    auth.signIn(with: credential, completion: done)
    auth.signIn(with: provider, uiDelegate: nil, completion: done)
    auth.signIn(withEmail: "", password: "", completion: done)
    auth.signIn(withEmail: "", link: "", completion: done)
    auth.signIn(withCustomToken: "", completion: done)
    auth.signInAnonymously(completion: done)
    auth.createUser(withEmail: "", password: "", completion: done)
    auth.updateCurrentUser(user, completion: ended)
    auth.confirmPasswordReset(withCode: "", newPassword: "", completion: ended)
    auth.checkActionCode("") { (_: ActionCodeInfo?, _: (any Error)?) in }
    auth.verifyPasswordResetCode("") { (_: String?, _: (any Error)?) in }
    auth.applyActionCode("", completion: ended)
    auth.sendPasswordReset(withEmail: "", completion: ended)
    auth.sendPasswordReset(withEmail: "", actionCodeSettings: settings, completion: ended)
    auth.sendSignInLink(toEmail: "", actionCodeSettings: settings, completion: ended)
    auth.revokeToken(withAuthorizationCode: "", completion: ended)
    auth.initializeRecaptchaConfig(completion: ended)
    auth.getToken(forcingRefresh: true) { (_: String?, _: (any Error)?) in }

    user.updatePassword(to: "", completion: ended)
    user.reload(completion: ended)
    user.reauthenticate(with: credential, completion: done)
    user.reauthenticate(with: provider, uiDelegate: nil, completion: done)
    user.getIDToken { (_: String?, _: (any Error)?) in }
    user.getIDTokenForcingRefresh(true) { (_: String?, _: (any Error)?) in }
    user.getIDTokenResult { (_: AuthTokenResult?, _: (any Error)?) in }
    user.getIDTokenResult(forcingRefresh: true) { (_: AuthTokenResult?, _: (any Error)?) in }
    user.link(with: credential, completion: done)
    user.link(with: provider, uiDelegate: nil, completion: done)
    user.unlink(fromProvider: "") { (_: User?, _: (any Error)?) in }
    user.__sendEmailVerification(withCompletion: ended)
    user.sendEmailVerification(completion: ended)
    user.sendEmailVerification(with: settings, completion: ended)
    user.__sendEmailVerificationBeforeUpdating(email: "", completion: ended)
    user.sendEmailVerification(beforeUpdatingEmail: "", completion: ended)
    user.sendEmailVerification(
      beforeUpdatingEmail: "", actionCodeSettings: settings, completion: ended)
    user.delete(completion: ended)
    user.createProfileChangeRequest().commitChanges(completion: ended)
  }

  static func withoutHandlers(_ auth: Auth, _ user: User, _ credential: AuthCredential) {
    auth.signIn(with: credential)
    auth.signIn(withEmail: "", password: "")
    auth.signInAnonymously()
    auth.sendPasswordReset(withEmail: "")
    user.reload()
    user.link(with: credential)
    user.delete()
  }

  static func awaiting(
    _ auth: Auth, _ user: User, _ credential: AuthCredential, _ provider: OAuthProvider,
    _ settings: ActionCodeSettings
  ) async throws {
    try await auth.signIn(with: credential)
    try await auth.signIn(with: provider, uiDelegate: nil)
    try await auth.signIn(withEmail: "", password: "")
    _ = try await auth.signIn(withEmail: "", link: "")
    try await auth.signIn(withCustomToken: "")
    try await auth.signInAnonymously()
    try await auth.createUser(withEmail: "", password: "")
    try await auth.updateCurrentUser(user)
    try await auth.confirmPasswordReset(withCode: "", newPassword: "")
    let _: ActionCodeInfo = try await auth.checkActionCode("")
    let _: String = try await auth.verifyPasswordResetCode("")
    try await auth.applyActionCode("")
    try await auth.sendPasswordReset(withEmail: "")
    try await auth.sendPasswordReset(withEmail: "", actionCodeSettings: settings)
    try await auth.sendSignInLink(toEmail: "", actionCodeSettings: settings)
    try await auth.revokeToken(withAuthorizationCode: "")
    try await auth.initializeRecaptchaConfig()
    try auth.useUserAccessGroup(nil)
    let _: User? = try auth.getStoredUser(forAccessGroup: nil)
    for await user in auth.authStateChanges { let _: User? = user }
    for await user in Auth.AuthStateChangesSequence(auth) { let _: User? = user }
    for await user in Auth.IDTokenChangesSequence(auth) { let _: User? = user }

    try await user.updatePassword(to: "")
    try await user.reload()
    try await user.reauthenticate(with: credential)
    try await user.reauthenticate(with: provider, uiDelegate: nil)
    let _: String = try await user.getIDToken()
    let _: String = try await user.getIDToken(forcingRefresh: true)
    let _: String = try await user.idTokenForcingRefresh(true)
    let _: AuthTokenResult = try await user.getIDTokenResult()
    let _: AuthTokenResult = try await user.getIDTokenResult(forcingRefresh: true)
    try await user.link(with: credential)
    try await user.link(with: provider, uiDelegate: nil)
    let _: User = try await user.unlink(fromProvider: "")
    try await user.sendEmailVerification()
    try await user.sendEmailVerification(with: settings)
    try await user.sendEmailVerification(beforeUpdatingEmail: "")
    try await user.delete()
    try await user.createProfileChangeRequest().commitChanges()
  }

  static func read(_ user: User) {
    let _: any UserInfo = user
    let _: any NSSecureCoding = user
    let _: (Bool, Bool) = (user.isAnonymous, user.isEmailVerified)
    let _: [any UserInfo] = user.providerData
    let _: UserMetadata = user.metadata
    let _: MultiFactor = user.multiFactor
    let _: [String?] = [
      user.tenantID, user.refreshToken, user.displayName, user.email, user.phoneNumber,
    ]
    let _: (String, String, URL?) = (user.providerID, user.uid, user.photoURL)
    user.displayName = nil
    user.photoURL = nil
  }
}

@Suite struct AuthSurfaceTests {
  @Test func `an app can pass on a handler that it received`() async throws {
    // Apps wrap these calls with a plain closure, which is neither Sendable nor on the main actor.
    func logIn(_ auth: Auth, completion: @escaping (AuthDataResult?, (any Error)?) -> Void) {
      auth.signInAnonymously(completion: completion)
    }
    let test = try TestApp()
    let uid = await withCheckedContinuation { continuation in
      logIn(test.auth) { result, _ in continuation.resume(returning: result?.user.uid) }
    }
    #expect(uid == "nobody")
    _ = AuthSurface.self
  }
}
