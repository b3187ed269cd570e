import GatehouseAuth
import Foundation

// Each of these files uses every declaration of one part of FirebaseAuth 12, with its labels,
// effects and types. A missing or different declaration doesn't compile. Nothing here runs.

typealias Done = ((any Error)?) -> Void
typealias Signed = (AuthDataResult?, (any Error)?) -> Void

enum AuthAPI {
  static func properties(_ auth: Auth, app: FirebaseApp) {
    let _: () -> Auth = Auth.auth
    let _: (FirebaseApp) -> Auth = Auth.auth(app:)
    let _: FirebaseApp? = auth.app
    let _: User? = auth.currentUser
    let _: String? = auth.languageCode
    auth.languageCode = nil
    let _: AuthSettings? = auth.settings
    auth.settings = AuthSettings()
    let _: String? = auth.userAccessGroup
    let _: Bool = auth.shareAuthStateAcrossDevices
    auth.shareAuthStateAcrossDevices = true
    let _: String? = auth.tenantID
    auth.tenantID = nil
    let _: String? = auth.customAuthDomain
    auth.customAuthDomain = nil
    let _: NSNotification.Name = Auth.authStateDidChangeNotification
    let _: NSNotification.Name = NSNotification.Name.AuthStateDidChange
  }

  static func signIn(_ auth: Auth) {
    let _: (String, String, Signed?) -> Void = auth.signIn(withEmail:password:completion:)
    let _: (String, String) async throws -> AuthDataResult = auth.signIn(withEmail:password:)
    let _: (String, String, Signed?) -> Void = auth.signIn(withEmail:link:completion:)
    let _: (String, String) async throws -> AuthDataResult = auth.signIn(withEmail:link:)
    let _: (AuthCredential, Signed?) -> Void = auth.signIn(with:completion:)
    let _: (AuthCredential) async throws -> AuthDataResult = auth.signIn(with:)
    let _: (Signed?) -> Void = auth.signInAnonymously(completion:)
    let _: () async throws -> AuthDataResult = auth.signInAnonymously
    let _: (String, Signed?) -> Void = auth.signIn(withCustomToken:completion:)
    let _: (String) async throws -> AuthDataResult = auth.signIn(withCustomToken:)
    let _: (String, String, Signed?) -> Void = auth.createUser(withEmail:password:completion:)
    let _: (String, String) async throws -> AuthDataResult = auth.createUser(withEmail:password:)
    let _: (User?, Done?) -> Void = auth.updateCurrentUser(_:completion:)
    let _: (User) async throws -> Void = auth.updateCurrentUser(_:)
    let _: () throws -> Void = auth.signOut
    let _: (String) -> Bool = auth.isSignIn(withEmailLink:)
  }

  static func inABrowser(
    _ auth: Auth, _ provider: any FederatedAuthProvider, _ delegate: (any AuthUIDelegate)?,
    _ completion: Signed?
  ) async throws {
    auth.signIn(with: provider, uiDelegate: delegate, completion: completion)
    let _: AuthDataResult = try await auth.signIn(with: provider, uiDelegate: delegate)
    try await auth.signIn(with: provider, uiDelegate: nil)
    let _: (URL) -> Bool = auth.canHandle(_:)
  }

  @available(*, deprecated)
  static func signInMethods(_ auth: Auth) {
    let _: (String, (([String]?, (any Error)?) -> Void)?) -> Void =
      auth.fetchSignInMethods(forEmail:completion:)
    let _: (String) async throws -> [String] = auth.fetchSignInMethods(forEmail:)
  }

  static func actionCodes(_ auth: Auth) {
    let _: (String, String, @escaping Done) -> Void =
      auth.confirmPasswordReset(withCode:newPassword:completion:)
    let _: (String, String) async throws -> Void =
      auth.confirmPasswordReset(withCode:newPassword:)
    let _: (String, @escaping (ActionCodeInfo?, (any Error)?) -> Void) -> Void =
      auth.checkActionCode(_:completion:)
    let _: (String, @escaping (String?, (any Error)?) -> Void) -> Void =
      auth.verifyPasswordResetCode(_:completion:)
    let _: (String) async throws -> String = auth.verifyPasswordResetCode(_:)
    let _: (String, @escaping Done) -> Void = auth.applyActionCode(_:completion:)
    let _: (String) async throws -> Void = auth.applyActionCode(_:)
    let _: (String, Done?) -> Void = auth.sendPasswordReset(withEmail:completion:)
    let _: (String, ActionCodeSettings?, Done?) -> Void =
      auth.sendPasswordReset(withEmail:actionCodeSettings:completion:)
    let _: (String, ActionCodeSettings, Done?) -> Void =
      auth.sendSignInLink(toEmail:actionCodeSettings:completion:)
  }

  static func actionCodesWaiting(_ auth: Auth, _ settings: ActionCodeSettings) async throws {
    let _: ActionCodeInfo = try await auth.checkActionCode("code")
    try await auth.sendPasswordReset(withEmail: "ana@example.com")
    try await auth.sendPasswordReset(withEmail: "ana@example.com", actionCodeSettings: settings)
    try await auth.sendSignInLink(toEmail: "ana@example.com", actionCodeSettings: settings)
  }

  static func listeners(_ auth: Auth) {
    let handle: any NSObjectProtocol = auth.addStateDidChangeListener { (_: Auth, _: User?) in }
    auth.removeStateDidChangeListener(handle)
    let other: any NSObjectProtocol = auth.addIDTokenDidChangeListener { (_: Auth, _: User?) in }
    auth.removeIDTokenDidChangeListener(other)
    let _: AuthStateDidChangeListenerHandle = handle
    let _: IDTokenDidChangeListenerHandle = other
  }

  static func sequences(_ auth: Auth) async {
    let states: Auth.AuthStateChangesSequence = auth.authStateChanges
    let _ = Auth.AuthStateChangesSequence(auth)
    var iterator: Auth.AuthStateChangesSequence.AsyncIterator = states.makeAsyncIterator()
    let _: Auth.AuthStateChangesSequence.Element? = await iterator.next()
    let _: Auth.AuthStateChangesSequence.Failure.Type = Never.self
    for await user: User? in auth.authStateChanges { _ = user }

    let tokens: Auth.IDTokenChangesSequence = auth.idTokenChanges
    let _ = Auth.IDTokenChangesSequence(auth)
    var other: Auth.IDTokenChangesSequence.AsyncIterator = tokens.makeAsyncIterator()
    let _: Auth.IDTokenChangesSequence.Element? = await other.next()
    let _: Auth.IDTokenChangesSequence.Failure.Type = Never.self
    for await user: User? in auth.idTokenChanges { _ = user }
  }

  static func rest(_ auth: Auth) {
    let _: (Bool, @escaping (String?, (any Error)?) -> Void) -> Void =
      auth.getToken(forcingRefresh:completion:)
    let _: () -> String? = auth.getUserID
    let _: () -> Void = auth.useAppLanguage
    let _: (String, Int) -> Void = auth.useEmulator(withHost:port:)
    let _: (String, Done?) -> Void = auth.revokeToken(withAuthorizationCode:completion:)
    let _: (String) async throws -> Void = auth.revokeToken(withAuthorizationCode:)
    let _: (String?) throws -> Void = auth.useUserAccessGroup(_:)
    let _: (String?) throws -> User? = auth.getStoredUser(forAccessGroup:)
    let _: Data? = auth.apnsToken
    let _: (Data, AuthAPNSTokenType) -> Void = auth.setAPNSToken(_:type:)
    let _: ([AnyHashable: Any]) -> Bool = auth.canHandleNotification(_:)
    let _: (Done?) -> Void = auth.initializeRecaptchaConfig(completion:)
    let _: () async throws -> Void = auth.initializeRecaptchaConfig
  }
}
