public import GatehouseCore
import Dispatch
public import Foundation
public import GatehouseClient
import GatehouseProtocol

#if canImport(UIKit) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  public import UIKit
#endif

// Longer than 500 lines because only functions in the class's body can be overridden.

/// Signs users in to an app's project, keeps the session, and reports who is signed in.
///
/// There is one per `FirebaseApp`. It is safe to use from every thread. Each asynchronous function
/// has an `async` form and one with a completion handler. The handler is called on the main actor,
/// exactly once, after the listeners for the same change. Errors are `NSError`s of the domain
/// ``AuthErrors/domain``, with the codes of ``AuthErrorCode``.
@preconcurrency
open class Auth: NSObject, @unchecked Sendable {  // `state` and `listeners` lock what changes.
  let state: Locked<AuthState>
  let listeners = Listeners()

  /// The app of this `Auth`. Nil after the app is released.
  public internal(set) weak var app: FirebaseApp?

  /// The app's name, which an archived user contains.
  let appName: String
  let maker: any ClientMaking

  package init(app: FirebaseApp?, maker: any ClientMaking) {
    self.app = app
    appName = app?.name ?? ""
    self.maker = maker
    state = Locked(AuthState(userAccessGroup: maker.rememberedGroup()))
    super.init()
    let occasions = StoreOccasions(app?.services.notifications ?? .default) { [weak self] in
      DispatchQueue.global().async { [weak self] in self?.readAgain() }
    }
    state.withLock { $0.occasions = occasions }
  }

  /// Firebase's page about OpenID Connect prints this. It never compiled with Google's SDK.
  @available(*, unavailable, renamed: "Auth.auth()")
  public convenience override init() {
    let app = unsafe FirebaseApp.app().unsafelyUnwrapped
    self.init(app: app, maker: AppClients(app))
  }

  // MARK: The project

  /// The `Auth` of the default app.
  ///
  /// Call `FirebaseApp.configure()` first. Without an app this stops the program, as Google's SDK
  /// does: it is a mistake of the developer.
  open class func auth() -> Auth {
    let app = FirebaseApp.app()
    precondition(app != nil, "Call FirebaseApp.configure() before Auth.auth().")
    return auth(app: unsafe app.unsafelyUnwrapped)
  }

  /// The `Auth` of `app`: the same object until `app` is deleted.
  open class func auth(app: FirebaseApp) -> Auth {
    AuthRegistry.shared.auth(of: app)
  }

  // MARK: The signed-in user

  /// The signed-in user: the same object during one session.
  ///
  /// Reads the store, but sends no request. Also nil while the store can't be read, such as before
  /// the device is first unlocked after its start. Then each access tries to read it again, and
  /// listeners are called when it succeeds.
  public var currentUser: User? {
    // An unreadable store doesn't mean that no user is signed in: the next call tries again.
    if case .loading = client.state { load() }
    return client.currentUser.map { user(for: $0) }
  }

  private func readAgain() {
    // Before the first use, the app may still choose an emulator.
    if state.withLock({ $0.client != nil }) { load() }
  }

  private func load() {
    // Until the device is first unlocked, the group of the last launch isn't known.
    let (group, awaited) = state.withLock { ($0.userAccessGroup, $0.awaitedGroup) }
    if group == nil, let wanted = awaited ?? maker.rememberedGroup() {
      do {
        return try useUserAccessGroup(wanted)
      } catch {
        // This app's own store would say that no user is signed in.
        if state.withLock({ $0.awaitedGroup != nil }) { return }
      }
    }
    do throws(ClientError) { try client.load() } catch {}
  }

  /// The client behind this `Auth`, for functions that Firebase's API doesn't have, such as asking
  /// the user before an account is created. Both have the same session.
  public var gatehouseClient: AuthClient { client }

  /// The uid of the signed-in user.
  open func getUserID() -> String? { currentUser?.uid }

  // MARK: Settings

  /// The language of the server's emails and pages, as a BCP 47 tag.
  open var languageCode: String? {
    get { state.withLock { $0.languageCode } }
    set {
      state.withLock { state in
        state.languageCode = newValue
        state.client?.languageCode = newValue
      }
    }
  }

  /// Uses the user's preferred language on this device.
  open func useAppLanguage() {
    languageCode = Locale.preferredLanguages.first
  }

  /// The setter copies the value. Changes of the object that the getter returns take effect.
  open var settings: AuthSettings? {
    get { state.withLock { $0.settings } }
    set {
      let copy = newValue?.copy(with: nil) as? AuthSettings
      state.withLock { $0.settings = copy }
    }
  }

  /// The tenant to which users of ``updateCurrentUser(_:)`` must belong. The server has no tenants
  /// and rejects requests that name one.
  open var tenantID: String? {
    get { state.withLock { $0.tenantID } }
    set { state.withLock { $0.tenantID = newValue } }
  }

  /// The domain at which browsers open the server's sign-in pages, such as `login.example.com`. Nil for
  /// the server's own URL.
  ///
  /// The domain's site has to forward `/__/auth/` to the server, and the domain has to be among the
  /// project's authorized domains: otherwise a sign-in in a browser throws
  /// ``AuthErrorCode/unauthorizedDomain``. The provider needs a redirect URI at this domain. With an
  /// emulator it has no effect.
  open var customAuthDomain: String? {
    get { state.withLock { $0.customAuthDomain } }
    set { state.withLock { $0.customAuthDomain = newValue } }
  }

  /// Kept for the app, without effect: the session stays on this device.
  open var shareAuthStateAcrossDevices: Bool {
    get { state.withLock { $0.sharesAcrossDevices } }
    set { state.withLock { $0.sharesAcrossDevices = newValue } }
  }

  // MARK: Signing in and out

  /// Signs in with a provider's credential, a password, an emailed link or code, or a phone number.
  ///
  /// - Throws:
  ///   - ``AuthErrorCode/secondFactorRequired``, as every sign-in, if the account needs a second factor.
  ///     `userInfo` contains a ``MultiFactorResolver``, which ends the sign-in.
  ///   - ``AuthErrorCode/accountExistsWithDifferentCredential`` if another account has the email.
  ///     The user must first sign in to that account with another method. `userInfo` contains the
  ///     email and an updated credential, which can then be linked.
  ///   - ``AuthErrorCode/operationNotAllowed`` if the project hasn't enabled the provider.
  ///   - ``AuthErrorCode/missingOrInvalidNonce``, ``AuthErrorCode/invalidCredential``,
  ///     ``AuthErrorCode/userDisabled``.
  @discardableResult
  open func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
    try credential.checkPassword()
    let proof = try credential.clientCredential()
    return try await dataResult { client throws(ClientError) in
      try await client.signIn(with: proof)
    }
  }

  open func signIn(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(with: credential) }
  }

  /// Opens the provider's page in a browser, and signs in with the result. See ``OAuthProvider``.
  ///
  /// Works on every platform. In Google's SDK this function exists only on iOS.
  ///
  /// - Throws: ``AuthErrorCode/webContextCancelled`` if the user closed the browser, and the errors
  ///   of ``signIn(with:)``.
  @discardableResult
  open func signIn(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await signIn(with: try await provider.credential(with: uiDelegate))
  }

  open func signIn(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthDataResult?, (any Error)?) -> Void)?
  ) {
    let request = ProviderRequest(provider: provider, delegate: uiDelegate)
    completing(completion) {
      try await self.signIn(with: request.provider, uiDelegate: request.delegate)
    }
  }

  /// Signs in with a password. An empty password is rejected without a request.
  ///
  /// - Throws: ``AuthErrorCode/invalidCredential`` for a wrong email and for a wrong password, if
  ///   the project has email enumeration protection. Otherwise ``AuthErrorCode/userNotFound`` for
  ///   the email and ``AuthErrorCode/wrongPassword`` for the password.
  @discardableResult
  open func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
  }

  open func signIn(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(withEmail: email, password: password) }
  }

  /// Signs in with the link of an email.
  ///
  /// - Parameter link: The whole link of the email. ``isSignIn(withEmailLink:)`` checks whether a
  ///   link is a sign-in link.
  /// - Throws: ``AuthErrorCode/invalidActionCode``, ``AuthErrorCode/expiredActionCode``,
  ///   ``AuthErrorCode/invalidEmail``.
  open func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
  }

  open func signIn(
    withEmail email: String, link: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(withEmail: email, link: link) }
  }

  /// Whether `link` is a sign-in link, or contains one (`link`, `deep_link_id`).
  open func isSignIn(withEmailLink link: String) -> Bool {
    guard let url = ActionCodeURL(link: link) else { return false }
    return url.operation == .emailLink && url.code != nil
  }

  /// Creates an anonymous account and signs in to it. If the current user is anonymous already, that
  /// user stays signed in and no account is created.
  @discardableResult
  open func signInAnonymously() async throws -> AuthDataResult {
    try await dataResult { client throws(ClientError) in try await client.signInAnonymously() }
  }

  open func signInAnonymously(completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.signInAnonymously() }
  }

  /// Signs in with a custom token, which the app's own back end created.
  ///
  /// - Throws: ``AuthErrorCode/invalidCustomToken``, ``AuthErrorCode/customTokenMismatch``.
  @discardableResult
  open func signIn(withCustomToken token: String) async throws -> AuthDataResult {
    try await dataResult { client throws(ClientError) in
      try await client.signIn(withCustomToken: token)
    }
  }

  open func signIn(
    withCustomToken token: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(withCustomToken: token) }
  }

  /// Creates an account and signs in to it.
  ///
  /// - Throws: ``AuthErrorCode/emailAlreadyInUse``, ``AuthErrorCode/weakPassword``,
  ///   ``AuthErrorCode/passwordDoesNotMeetRequirements``, ``AuthErrorCode/invalidEmail``,
  ///   ``AuthErrorCode/missingEmail``; ``AuthErrorCode/operationNotAllowed`` if the project has no sign-in
  ///   with passwords; ``AuthErrorCode/adminRestrictedOperation`` if only administrators create accounts.
  @discardableResult
  open func createUser(withEmail email: String, password: String) async throws -> AuthDataResult {
    if password.isEmpty { throw AuthErrorCode.missingPassword }
    if email.isEmpty { throw AuthErrorCode.missingEmail.error() }
    return try await dataResult { client throws(ClientError) in
      try await client.createUser(email: email, password: password)
    }
  }

  open func createUser(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.createUser(withEmail: email, password: password) }
  }

  /// Removes the session from this device. Does nothing if no user is signed in.
  ///
  /// Sends no request to the server. When this function returns, ``currentUser`` is nil. Listeners
  /// are called afterwards.
  ///
  /// - Throws: ``AuthErrorCode/keychainError`` if the store can't be written. The user then stays
  ///   signed in.
  open func signOut() throws {
    let client = self.client
    try asAuthErrors { () throws(ClientError) in try client.signOut() }
  }

  /// Makes `user` the current user, after the server has confirmed the session. `user` may come
  /// from another `Auth` of the project.
  ///
  /// - Throws: ``AuthErrorCode/tenantIDMismatch``, and the errors of ``User/reload()``. After an
  ///   error the current user stays the same.
  open func updateCurrentUser(_ user: User) async throws {
    guard user.tenantID == tenantID else { throw AuthErrorCode.tenantIDMismatch.error() }
    let client = self.client
    let person = user.person
    try await asAuthErrors { () async throws(ClientError) in try await client.adopt(person) }
  }

  /// As ``updateCurrentUser(_:)``; nil is rejected with ``AuthErrorCode/nullUser``.
  open func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) {
      guard let user else { throw AuthErrorCode.nullUser.error() }
      try await self.updateCurrentUser(user)
    }
  }

  /// Runs `work`, and converts its result to the types that apps use.
  private func dataResult(
    _ work: (AuthClient) async throws(ClientError) -> SignInResult
  ) async throws -> AuthDataResult {
    let client = self.client
    let result = try await asAuthErrors { () async throws(ClientError) in try await work(client) }
    return AuthDataResult(result, user: user(for: result.user))
  }

  // MARK: Codes by mail

  /// Sends an email with a link to choose a new password.
  ///
  /// If the project has email enumeration protection, an unknown address is not an error.
  ///
  /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/invalidEmail``,
  ///   ``AuthErrorCode/unauthorizedDomain``, ``AuthErrorCode/invalidContinueURI``.
  open func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    let client = self.client
    let settings = actionCodeSettings?.linkSettings
    try await asAuthErrors { () async throws(ClientError) in
      try await client.sendPasswordReset(to: email, settings: settings)
    }
  }

  open func sendPasswordReset(
    withEmail email: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    sendPasswordReset(withEmail: email, actionCodeSettings: nil, completion: completion)
  }

  open func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings?,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    let client = self.client
    let settings = actionCodeSettings?.linkSettings
    completing(completion) {
      try await asAuthErrors { () async throws(ClientError) in
        try await client.sendPasswordReset(to: email, settings: settings)
      }
    }
  }

  /// Sends an email with a link that signs the user in.
  ///
  /// - Parameter actionCodeSettings: Needs `handleCodeInApp`, and a `url` of an authorized domain.
  open func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings
  ) async throws {
    let client = self.client
    let settings = actionCodeSettings.linkSettings
    try await asAuthErrors { () async throws(ClientError) in
      try await client.sendSignInLink(to: email, settings: settings)
    }
  }

  open func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    let client = self.client
    let settings = actionCodeSettings.linkSettings
    completing(completion) {
      try await asAuthErrors { () async throws(ClientError) in
        try await client.sendSignInLink(to: email, settings: settings)
      }
    }
  }

  /// Finds out what a code is for. The code stays valid.
  ///
  /// - Throws: ``AuthErrorCode/invalidActionCode``, ``AuthErrorCode/expiredActionCode``.
  open func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
    ActionCodeInfo(try await contents(of: code))
  }

  open func checkActionCode(
    _ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void
  ) {
    completing(completion) { try await self.checkActionCode(code) }
  }

  /// The email address of the account whose password the code resets.
  ///
  /// - Throws: The errors of ``checkActionCode(_:)``. For a code with another purpose,
  ///   ``AuthErrorCode/invalidActionCode``.
  open func verifyPasswordResetCode(_ code: String) async throws -> String {
    let contents = try await contents(of: code)
    guard contents.requestType == "PASSWORD_RESET", let email = contents.email else {
      throw AuthErrorCode.invalidActionCode.error()
    }
    return email
  }

  open func verifyPasswordResetCode(
    _ code: String, completion: @escaping (String?, (any Error)?) -> Void
  ) {
    completing(completion) { try await self.verifyPasswordResetCode(code) }
  }

  /// Uses the code: verifies, changes or restores an address, as its purpose says.
  ///
  /// - Throws: The errors of ``checkActionCode(_:)``, ``AuthErrorCode/userDisabled``,
  ///   ``AuthErrorCode/emailAlreadyInUse``, and ``AuthErrorCode/userNotFound`` for the verification of an address
  ///   that the account gave up.
  open func applyActionCode(_ code: String) async throws {
    let client = self.client
    try await asAuthErrors { () async throws(ClientError) in
      try await client.apply(actionCode: code)
    }
  }

  open func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
    completing(completion) { try await self.applyActionCode(code) }
  }

  /// Sets a new password with the code of a password reset.
  ///
  /// - Throws: ``AuthErrorCode/weakPassword``, ``AuthErrorCode/passwordDoesNotMeetRequirements``,
  ///   ``AuthErrorCode/userNotFound`` if the account gave up the address to which the code was sent, and the
  ///   errors of ``checkActionCode(_:)``.
  open func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
    let client = self.client
    try await asAuthErrors { () async throws(ClientError) in
      try await client.resetPassword(code: code, newPassword: newPassword)
    }
  }

  open func confirmPasswordReset(
    withCode code: String, newPassword: String, completion: @escaping ((any Error)?) -> Void
  ) {
    completing(completion) {
      try await self.confirmPasswordReset(withCode: code, newPassword: newPassword)
    }
  }

  /// The sign-in methods of the account of `email`. Empty if the project has email enumeration
  /// protection, which is the default.
  @available(
    *, deprecated, message: "Empty if the project has email enumeration protection."
  )
  open func fetchSignInMethods(forEmail email: String) async throws -> [String] {
    try await signInMethods(of: email)
  }

  @available(
    *, deprecated, message: "Empty if the project has email enumeration protection."
  )
  open func fetchSignInMethods(
    forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signInMethods(of: email) }
  }

  private func signInMethods(of email: String) async throws -> [String] {
    let client = self.client
    return try await asAuthErrors { () async throws(ClientError) in
      try await client.signInMethods(for: email)
    }
  }

  private func contents(of code: String) async throws -> ActionCodeContents {
    let client = self.client
    return try await asAuthErrors { () async throws(ClientError) in
      try await client.check(actionCode: code)
    }
  }

  // MARK: Tokens

  /// The current user's ID token, for other libraries. Nil without an error if no user is signed
  /// in.
  open func getToken(
    forcingRefresh forceRefresh: Bool,
    completion callback: @escaping (String?, (any Error)?) -> Void
  ) {
    let user = currentUser
    completing({ (token: String??, error: (any Error)?) in callback(token ?? nil, error) }) {
      try await user?.getIDToken(forcingRefresh: forceRefresh)
    }
  }

  /// Asks the server to revoke the tokens that Apple issued to the app, with the authorization code
  /// of a new sheet.
  ///
  /// Apple requires this when an app deletes an account. Apple accepts a code once, within five
  /// minutes. It is used up even if the revocation then fails.
  ///
  /// - Throws: ``AuthErrorCode/nullUser`` if no user is signed in. Google's function
  ///   then never returns.
  open func revokeToken(withAuthorizationCode authorizationCode: String) async throws {
    guard let person = currentUser?.person else { throw ClientError.notSignedIn.nsError() }
    try await asAuthErrors { () async throws(ClientError) in
      try await person.revokeApple(authorizationCode: authorizationCode)
    }
  }

  open func revokeToken(
    withAuthorizationCode authorizationCode: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    completing(completion) {
      try await self.revokeToken(withAuthorizationCode: authorizationCode)
    }
  }

  // MARK: What the server does not need

  // Google's SDK on iOS needs these before it sends a code: a push notification or a reCAPTCHA shows
  // that the request comes from an app. Our server requires neither.

  /// Always nil: nothing uses the token.
  open var apnsToken: Data? { nil }

  #if !os(macOS)
    /// Does nothing: no codes are sent by push notification.
    open func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) {}
  #endif

  /// Always false: no notification is for this library.
  open func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

  /// Does nothing: the server requires no reCAPTCHA.
  open func initializeRecaptchaConfig() async throws {}

  open func initializeRecaptchaConfig(completion: (((any Error)?) -> Void)?) {
    completing(completion) {}
  }

  // MARK: The emulator

  /// Sends all requests over plain http to a server on this machine or network: `gatehouse serve
  /// --dev`, which replaces Google's emulator. Never use this with a production server.
  ///
  /// Call it before the first use of this `Auth`, right after `FirebaseApp.configure()`. The
  /// emulator's session is separate from the configured server's. A later call starts again with
  /// the emulator: the user who is signed in there becomes the current user, and listeners are
  /// called.
  ///
  /// - Parameters:
  ///   - host: A name or an address without a scheme. An IPv6 address may have brackets.
  ///   - port: 1 to 65535.
  open func useEmulator(withHost host: String, port: Int) {
    precondition(!host.isEmpty, "The emulator's host is empty.")
    precondition((1...65535).contains(port), "The emulator's port isn't in 1...65535: \(port)")
    changeClient { $0.emulator = Emulator(host: host, port: port) }
  }

  // MARK: Listeners

  /// Calls `listener` when a user signs in or out. The first call has the current user. It comes
  /// soon after this returns, when the store has been read. Later calls come when the uid changes.
  ///
  /// Calls are made on the main actor, in the order of registration, with the user who is signed in
  /// at that moment. The listener may use this `Auth`, and add and remove listeners. A refreshed
  /// token, a link or a changed profile is not a change of user: see
  /// ``addIDTokenDidChangeListener(_:)``.
  ///
  /// - Returns: The handle for ``removeStateDidChangeListener(_:)``. The listener stays until it is
  ///   removed.
  open func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void)
    -> any NSObjectProtocol
  { add(Listener(.user, listener)) }

  /// Removes the listener. If this is called on the main actor, no call follows, not even a call
  /// that was already queued. On another thread, a call may be running at this moment.
  open func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) {
    listeners.remove(listenerHandle)
  }

  /// Calls `listener` whenever the ID token changes: for each change that
  /// ``addStateDidChangeListener(_:)`` reports, and for refreshed tokens, links and
  /// re-authentications.
  open func addIDTokenDidChangeListener(_ listener: @escaping (Auth, User?) -> Void)
    -> any NSObjectProtocol
  { add(Listener(.token, listener)) }

  /// Works like ``removeStateDidChangeListener(_:)``.
  open func removeIDTokenDidChangeListener(_ listenerHandle: any NSObjectProtocol) {
    listeners.remove(listenerHandle)
  }

  // MARK: Groups of apps

  /// Shares the session with the apps of `accessGroup`: the user who is signed in there is then
  /// also this app's ``currentUser``. If no user is, this app's user is signed in there from now on, without a
  /// request. This app's own session is removed. Later launches use the group, too.
  ///
  /// Nil limits the session to this app again: no user is signed in then, and the group's session stays.
  ///
  /// - Throws: ``AuthErrorCode/keychainError`` for a group on a platform without a keychain, for a group that the
  ///   app's entitlements don't have, and if the keychain can't be read. Then nothing changes; but if the device is
  ///   locked, the group is used as soon as it was unlocked.
  open func useUserAccessGroup(_ accessGroup: String?) throws {
    let present = userAccessGroup
    // At each launch, an app may name the group that is used already.
    if accessGroup != nil, accessGroup == present {
      guard case .loading = client.state else { return }
      return try asAuthErrors { () throws(ClientError) in _ = try client.load() }
    }
    let next = try client(inGroup: accessGroup)
    try asAuthErrors { () throws(ClientError) in
      guard accessGroup != nil else { return }
      do throws(ClientError) {
        if present == nil { try client.moveSession(to: next) }
        try next.load()
      } catch {
        var isLocked = false
        if case .store(let fault) = error { isLocked = fault.kind == .locked }
        state.withLock { $0.awaitedGroup = isLocked ? accessGroup : nil }
        throw error
      }
    }
    maker.remember(group: accessGroup)
    changeClient { state in
      state.userAccessGroup = accessGroup
      state.awaitedGroup = nil
    }
  }

  /// The user who is signed in in `accessGroup`, or in this app alone for nil. Doesn't sign that
  /// user in here.
  ///
  /// - Throws: As ``useUserAccessGroup(_:)``, and if the keychain can't be read.
  open func getStoredUser(forAccessGroup accessGroup: String?) throws -> User? {
    let client = try client(inGroup: accessGroup)
    try asAuthErrors { () throws(ClientError) in _ = try client.load() }
    return client.currentUser.map { User(person: $0, appName: appName) }
  }

  // MARK: URLs

  /// Whether `url`, with which the app was opened, belongs to a sign-in in a browser. If so, the
  /// app has nothing more to do with it.
  ///
  /// If an ``AuthUIDelegate`` presents the browser, its response arrives only by this function:
  /// call it in `application(_:open:options:)`, `scene(_:openURLContexts:)` or SwiftUI's
  /// `onOpenURL`. The system's own sheet receives its response itself and doesn't need this call.
  @discardableResult
  open func canHandle(_ url: URL) -> Bool { takes(url) }

  #if canImport(UIKit) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    // For apps whose delegates forward these calls. Nothing is swizzled.

    /// Passes the URLs to ``canHandle(_:)``.
    @MainActor open func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    {
      for context in URLContexts { _ = canHandle(context.url) }
    }

    /// ``canHandle(_:)``
    @MainActor open func application(
      _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { canHandle(url) }

    /// ``setAPNSToken(_:type:)``
    @MainActor open func application(
      _ application: UIApplication,
      didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { setAPNSToken(deviceToken, type: .unknown) }

    /// Does nothing.
    @MainActor open func application(
      _ application: UIApplication,
      didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    /// Calls the handler with `noData`: no notification is for this library.
    @MainActor open func application(
      _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
      fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
      _ = canHandleNotification(userInfo)
      completionHandler(.noData)
    }
  #endif

  // MARK: Notification

  /// Posted on the main actor, with the `Auth` as its object, when the ID token changes, such as
  /// after a sign-in, a sign-out or a refresh.
  public static let authStateDidChangeNotification = NSNotification.Name(
    "FIRAuthStateDidChangeNotification")

  /// Posted on the main actor, with the `Auth` as its object, when the session ends without a call of
  /// the app, or when its store fails. Gatehouse's own; the log has the same cause.
  ///
  /// The error under `NSUnderlyingErrorKey` says why: ``AuthErrorCode/userTokenExpired``,
  /// ``AuthErrorCode/userDisabled``, ``AuthErrorCode/userNotFound``,
  /// ``AuthErrorCode/invalidUserToken``; ``AuthErrorCode/keychainError`` for the store: then a session
  /// that can't be read counts as none, and one that can't be written is lost at the next launch.
  public static let sessionFaultNotification = NSNotification.Name("GatehouseSessionFault")
}

extension NSNotification.Name {
  /// ``Auth/authStateDidChangeNotification``
  public static let AuthStateDidChange = Auth.authStateDidChangeNotification
}
