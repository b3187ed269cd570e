public import Foundation
package import GatehouseClient
import GatehouseProtocol

/// A user who is or was signed in: the profile, the tokens, and the operations on the account.
///
/// It works as long as its tokens are valid, even after another user has signed in.
/// ``Auth/currentUser`` returns the same object during one session. The properties have the values
/// that this device knows: they are read from the server at a sign-in, by ``reload()``, after
/// changes of the account, and when ``Auth`` is told of a change elsewhere.
///
/// If the server reports to a call that the session has ended or that the account was disabled or
/// deleted, the call throws an error, the user is signed out on this device, and listeners are
/// called. A lost network connection never signs a user out.
@preconcurrency
open class User: NSObject, UserInfo, NSSecureCoding, @unchecked Sendable {  // `local` is a lock.
  /// The client's user that this object represents.
  package let person: SignedInUser
  let appName: String
  private let local = Locked(LocalProfile())
  /// The name of a passkey that is being created.
  let passkeyName = Locked<String?>(nil)

  package init(person: SignedInUser, appName: String) {
    self.person = person
    self.appName = appName
    multiFactor = MultiFactor(person)
  }

  // MARK: UserInfo

  /// `Firebase`: this is the account, not an element of ``providerData``.
  open var providerID: String { "Firebase" }
  open var uid: String { person.uid }

  /// Setting it changes only this object: ``createProfileChangeRequest()`` changes the account.
  /// ``reload()`` restores the account's value.
  open var displayName: String? {
    get { local.withLock { $0.displayName } ?? person.snapshot.displayName }
    set { local.withLock { $0.displayName = .some(newValue) } }
  }

  /// Works like ``displayName``.
  open var photoURL: URL? {
    get { local.withLock { $0.photoURL } ?? person.snapshot.photoURL }
    set { local.withLock { $0.photoURL = .some(newValue) } }
  }

  open var email: String? { person.snapshot.email }
  open var phoneNumber: String? { person.snapshot.phoneNumber }

  // MARK: The account

  /// Whether the account has no credential: only its session gives access to it.
  public var isAnonymous: Bool { person.snapshot.isAnonymous }
  @available(*, deprecated, renamed: "isAnonymous")
  open func anonymous() -> Bool { isAnonymous }

  public var isEmailVerified: Bool { person.snapshot.isEmailVerified }
  @available(*, deprecated, renamed: "isEmailVerified")
  open func emailVerified() -> Bool { isEmailVerified }

  /// The sign-in methods of the account, in the server's order. Empty for an anonymous account.
  open var providerData: [any UserInfo] {
    person.snapshot.providers.map { ProviderUserInfo($0) }
  }

  public var metadata: UserMetadata { UserMetadata(person.snapshot) }
  public var tenantID: String? { person.snapshot.tenantID }

  /// The user's second factors.
  public let multiFactor: MultiFactor

  /// A secret that the SDK exchanges for ID tokens. The server rotates it: never keep a copy.
  open var refreshToken: String? { person.refreshToken }

  // MARK: Changing the profile

  /// A change of name and picture. ``UserProfileChangeRequest/commitChanges()`` sends both in one
  /// request.
  open func createProfileChangeRequest() -> UserProfileChangeRequest {
    UserProfileChangeRequest(user: self)
  }

  /// Restores the account's values.
  func forgetLocalProfile() { local.withLock { $0 = LocalProfile() } }

  // MARK: Tokens

  /// An ID token that is valid for more than five more minutes.
  ///
  /// Sends a request only if the held token is not valid for that long, or if `forceRefresh` is
  /// true. Simultaneous calls share one request.
  ///
  /// - Throws: ``AuthErrorCode/userTokenExpired``, ``AuthErrorCode/userDisabled``,
  ///   ``AuthErrorCode/userNotFound``, ``AuthErrorCode/invalidUserToken``: the user is then signed
  ///   out. ``AuthErrorCode/networkError``: the user is still signed in.
  open func getIDToken(forcingRefresh forceRefresh: Bool = false) async throws -> String {
    try await idToken(forcingRefresh: forceRefresh).token
  }

  /// As ``getIDToken(forcingRefresh:)``.
  open func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
    try await idToken(forcingRefresh: forceRefresh).token
  }

  open func getIDToken(completion: ((String?, (any Error)?) -> Void)?) {
    getIDTokenForcingRefresh(false, completion: completion)
  }

  open func getIDTokenForcingRefresh(
    _ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?
  ) {
    completing(completion) { try await self.getIDToken(forcingRefresh: forceRefresh) }
  }

  /// The ID token and its claims. The signature isn't verified here: a back end does that.
  open func getIDTokenResult(
    forcingRefresh forceRefresh: Bool = false
  ) async throws -> AuthTokenResult {
    AuthTokenResult(try await idToken(forcingRefresh: forceRefresh))
  }

  open func getIDTokenResult(completion: ((AuthTokenResult?, (any Error)?) -> Void)?) {
    getIDTokenResult(forcingRefresh: false, completion: completion)
  }

  open func getIDTokenResult(
    forcingRefresh: Bool, completion: ((AuthTokenResult?, (any Error)?) -> Void)?
  ) {
    completing(completion) { try await self.getIDTokenResult(forcingRefresh: forcingRefresh) }
  }

  /// The held ID token. Listeners compare it to detect a new one.
  var heldToken: String? { person.heldIDToken?.token }

  private func idToken(forcingRefresh: Bool) async throws -> IDToken {
    let person = self.person
    return try await asAuthErrors { () async throws(ClientError) in
      try await person.idToken(forcingRefresh: forcingRefresh)
    }
  }

  // MARK: Re-authentication, linking and unlinking

  /// Authenticates the user again, for operations that require a recent sign-in.
  ///
  /// - Throws: ``AuthErrorCode/secondFactorRequired``, as ``Auth/signIn(with:)``;
  ///   ``AuthErrorCode/userMismatch`` if the credential belongs to another account or to
  ///   none; this user stays signed in. The `async` form of Google's SDK doesn't throw it.
  ///   ``AuthErrorCode/missingOrInvalidNonce`` for a provider's token that was used before.
  @discardableResult
  open func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
    try credential.checkPassword()
    let proof = try credential.clientCredential()
    let person = self.person
    let result = try await asAuthErrors { () async throws(ClientError) in
      try await person.reauthenticate(with: proof)
    }
    return AuthDataResult(result, user: self)
  }

  open func reauthenticate(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.reauthenticate(with: credential) }
  }

  /// Re-authenticates in a browser.
  @discardableResult
  open func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await reauthenticate(with: try await provider.credential(with: uiDelegate))
  }

  open func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    let request = ProviderRequest(provider: provider, delegate: uiDelegate)
    completing(completion) {
      try await self.reauthenticate(with: request.provider, uiDelegate: request.delegate)
    }
  }

  /// Links a credential to this account. An anonymous account becomes permanent.
  ///
  /// - Throws: ``AuthErrorCode/credentialAlreadyInUse`` and ``AuthErrorCode/emailAlreadyInUse`` if
  ///   the credential belongs to another account: `userInfo` then has an updated credential, which
  ///   signs in to that account without asking the user again.
  ///   ``AuthErrorCode/providerAlreadyLinked`` if this account already has an identity of that provider;
  ///   no request is sent if the profile shows it. ``AuthErrorCode/missingOrInvalidNonce``,
  ///   ``AuthErrorCode/invalidCredential``, and for a password the errors of
  ///   ``Auth/createUser(withEmail:password:)``. ``AuthErrorCode/requiresRecentLogin`` for a password, for
  ///   an address in place of another one, and if the project requires it for every link.
  ///   ``AuthErrorCode/internalError`` with ``AuthErrors/userInfoConsentJoinsKey`` if the project requires
  ///   the user's consent.
  @discardableResult
  open func link(with credential: AuthCredential) async throws -> AuthDataResult {
    try credential.checkPassword()
    let proof = try credential.clientCredential()
    let person = self.person
    let result = try await asAuthErrors { () async throws(ClientError) in
      try await person.link(proof)
    }
    return AuthDataResult(result, user: self)
  }

  open func link(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.link(with: credential) }
  }

  /// Links in a browser.
  @discardableResult
  open func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await link(with: try await provider.credential(with: uiDelegate))
  }

  open func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    let request = ProviderRequest(provider: provider, delegate: uiDelegate)
    completing(completion) {
      try await self.link(with: request.provider, uiDelegate: request.delegate)
    }
  }

  /// Removes a sign-in method from this account.
  ///
  /// - Parameter provider: The provider's id, like `google.com` or `password`.
  /// - Throws: ``AuthErrorCode/noSuchProvider``, before a request is sent, if the account doesn't
  ///   have this sign-in method; ``AuthErrorCode/requiresRecentLogin``;
  ///   ``AuthErrorCode/operationNotAllowed`` if it is the last one, and the project's policy keeps it.
  @discardableResult
  open func unlink(fromProvider provider: String) async throws -> User {
    let person = self.person
    let provider = Provider(provider)
    guard person.snapshot.provider(provider) != nil else {
      throw AuthErrorCode.noSuchProvider.error()
    }
    _ = try await asAuthErrors { () async throws(ClientError) in try await person.unlink(provider) }
    return self
  }

  open func unlink(
    fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.unlink(fromProvider: provider) }
  }

  // MARK: Changes of the account

  // Functions that throw `requiresRecentLogin` need a recent sign-in: by default in the last five
  // minutes, by the server's clock.

  /// Fetches the profile from the server.
  ///
  /// - Throws: The errors of ``getIDToken(forcingRefresh:)``.
  open func reload() async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in try await person.reload() }
    forgetLocalProfile()
  }

  open func reload(completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.reload() }
  }

  /// Sets or changes the account's email address, without verifying it first. This signs out the
  /// user's other devices.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/emailAlreadyInUse``,
  ///   ``AuthErrorCode/invalidEmail``; ``AuthErrorCode/operationNotAllowed`` for a first or new
  ///   address if the project has email enumeration protection. After ``AuthErrorCode/networkError`` the
  ///   address may have changed. Then the session has ended, and the user has to sign in again.
  @available(
    *, deprecated,
    message: "Use sendEmailVerification(beforeUpdatingEmail:): it verifies the new address first."
  )
  open func updateEmail(to email: String) async throws { try await setEmail(email) }

  @available(
    *, deprecated,
    message: "Use sendEmailVerification(beforeUpdatingEmail:): it verifies the new address first."
  )
  open func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.setEmail(email) }
  }

  private func setEmail(_ email: String) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in try await person.update(email: email) }
  }

  /// Sets or changes the password. This signs out the user's other devices.
  ///
  /// - Throws: ``AuthErrorCode/weakPassword``, also for an empty password, which is never sent;
  ///   ``AuthErrorCode/passwordDoesNotMeetRequirements``; ``AuthErrorCode/missingEmail`` for an account
  ///   without an address; ``AuthErrorCode/operationNotAllowed`` if the project has no sign-in with
  ///   passwords; ``AuthErrorCode/requiresRecentLogin``. After ``AuthErrorCode/networkError`` the password may have
  ///   changed. Then the session has ended, and the user has to sign in with the new password.
  open func updatePassword(to password: String) async throws {
    if password.isEmpty { throw AuthErrorCode.missingPassword }
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.update(password: password)
    }
  }

  open func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.updatePassword(to: password) }
  }

  /// Gives the account a phone number, or replaces its number.
  ///
  /// - Throws: ``AuthErrorCode/invalidVerificationCode``, ``AuthErrorCode/sessionExpired``;
  ///   ``AuthErrorCode/credentialAlreadyInUse`` if another account has the number, with an updated
  ///   credential in `userInfo` that signs in to that account;
  ///   ``AuthErrorCode/requiresRecentLogin`` if a number would be replaced.
  open func updatePhoneNumber(_ credential: PhoneAuthCredential) async throws {
    try await setPhoneNumber(credential, consent: nil)
  }

  func setPhoneNumber(_ credential: PhoneAuthCredential, consent: Consent?) async throws {
    let proof = try credential.phoneCredential()
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.updatePhoneNumber(proof, consent: consent)
    }
  }

  open func updatePhoneNumber(
    _ credential: PhoneAuthCredential, completion: (((any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.updatePhoneNumber(credential) }
  }

  /// Sends an email with a link that verifies the account's address.
  open func sendEmailVerification(
    with actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendVerification(actionCodeSettings?.linkSettings)
  }

  open func sendEmailVerification(
    with actionCodeSettings: ActionCodeSettings? = nil, completion: (((any Error)?) -> Void)? = nil
  ) {
    let settings = actionCodeSettings?.linkSettings
    completing(completion) { try await self.sendVerification(settings) }
  }

  /// The Objective-C function without settings.
  open func __sendEmailVerification(withCompletion completion: (((any Error)?) -> Void)?) {
    sendEmailVerification(completion: completion)
  }

  private func sendVerification(_ settings: ActionLinkSettings?) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerification(settings: settings)
    }
  }

  /// Sends an email with a link to `newEmail`. When the user follows the link, `newEmail` becomes
  /// the account's address, and all sessions of the account end, on this device too.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/emailAlreadyInUse``.
  open func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendVerification(of: newEmail, actionCodeSettings?.linkSettings)
  }

  open func sendEmailVerification(
    beforeUpdatingEmail email: String, actionCodeSettings: ActionCodeSettings? = nil,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    let settings = actionCodeSettings?.linkSettings
    completing(completion) { try await self.sendVerification(of: email, settings) }
  }

  /// The Objective-C function without settings.
  open func __sendEmailVerificationBeforeUpdating(
    email: String, completion: (((any Error)?) -> Void)?
  ) {
    sendEmailVerification(beforeUpdatingEmail: email, completion: completion)
  }

  private func sendVerification(of email: String, _ settings: ActionLinkSettings?) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerification(beforeUpdatingTo: email, settings: settings)
    }
  }

  /// Deletes the account. No user is signed in when it returns. If the project has a grace period
  /// for deletions, the user can keep the account by signing in again until it ends.
  ///
  /// The server then revokes the providers' tokens that it keeps. If it keeps none, revoke them
  /// before: for Apple with ``Auth/revokeToken(withAuthorizationCode:)``.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``.
  open func delete() async throws {
    let person = self.person
    _ = try await asAuthErrors { () async throws(ClientError) in try await person.delete() }
  }

  open func delete(completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.delete() }
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding = true

  /// The archive contains the refresh token unencrypted: store it where secrets are kept.
  public func encode(with coder: NSCoder) {
    coder.encode(text: appName, forKey: UserArchive.appName)
    guard let archive = try? person.archived() else { return }
    coder.encode(archive as NSData, forKey: UserArchive.session)
  }

  /// Restores an archived user. A `FirebaseApp` with the name of the app that archived the user
  /// must be configured. Doesn't sign the user in: ``Auth/updateCurrentUser(_:)`` does.
  public required init?(coder: NSCoder) {
    guard let name = coder.text(UserArchive.appName),
      let session = coder.object(NSData.self, UserArchive.session),
      let app = FirebaseApp.app(name: name),
      let person = try? Auth.auth(app: app).client.user(archived: Data(referencing: session))
    else { return nil }
    self.person = person
    appName = name
    multiFactor = MultiFactor(person)
  }
}

/// The values that an app set on a ``User``. They are not sent to the server.
private struct LocalProfile {
  var displayName: String??
  var photoURL: URL??
}

/// The keys of an archived ``User``.
private enum UserArchive {
  static let appName = "gatehouseAppName"
  static let session = "gatehouseSession"
}
