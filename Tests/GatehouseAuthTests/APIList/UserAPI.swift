import GatehouseAuth
import Foundation

enum UserAPI {
  static func properties(_ user: User) {
    let _: any UserInfo = user
    let _: any NSSecureCoding = user
    let _: Bool = user.isAnonymous
    let _: Bool = user.isEmailVerified
    let _: [any UserInfo] = user.providerData
    let _: UserMetadata = user.metadata
    let _: String? = user.tenantID
    let _: MultiFactor = user.multiFactor
    let _: [PasskeyInfo]? = user.enrolledPasskeys
    let _: (String) async throws -> Void = user.unenrollPasskey(withCredentialID:)
    let _: String? = user.refreshToken
    let _: String = user.providerID
    let _: String = user.uid
    let _: String? = user.displayName
    user.displayName = nil
    let _: URL? = user.photoURL
    user.photoURL = nil
    let _: String? = user.email
    let _: String? = user.phoneNumber
    let _: Bool = User.supportsSecureCoding
    let _: (NSCoder) -> Void = user.encode(with:)
    let _: (NSCoder) -> User? = User.init(coder:)
  }

  @available(*, deprecated)
  static func deprecated(_ user: User) {
    let _: () -> Bool = user.anonymous
    let _: () -> Bool = user.emailVerified
    let _: (String, Done?) -> Void = user.updateEmail(to:completion:)
    let _: (String) async throws -> Void = user.updateEmail(to:)
  }

  static func changes(_ user: User) {
    let _: (String, Done?) -> Void = user.updatePassword(to:completion:)
    let _: (String) async throws -> Void = user.updatePassword(to:)
    let _: (PhoneAuthCredential, Done?) -> Void = user.updatePhoneNumber(_:completion:)
    let _: (PhoneAuthCredential) async throws -> Void = user.updatePhoneNumber(_:)
    let _: () -> UserProfileChangeRequest = user.createProfileChangeRequest
    let _: (Done?) -> Void = user.reload(completion:)
    let _: () async throws -> Void = user.reload
    let _: (Done?) -> Void = user.delete(completion:)
    let _: () async throws -> Void = user.delete
  }

  static func identities(_ user: User) {
    let _: (AuthCredential, Signed?) -> Void = user.reauthenticate(with:completion:)
    let _: (AuthCredential) async throws -> AuthDataResult = user.reauthenticate(with:)
    let _: (AuthCredential, Signed?) -> Void = user.link(with:completion:)
    let _: (AuthCredential) async throws -> AuthDataResult = user.link(with:)
    let _: (String, ((User?, (any Error)?) -> Void)?) -> Void =
      user.unlink(fromProvider:completion:)
    let _: (String) async throws -> User = user.unlink(fromProvider:)
  }

  static func inABrowser(
    _ user: User, _ provider: any FederatedAuthProvider, _ delegate: (any AuthUIDelegate)?,
    _ completion: Signed?
  ) async throws {
    user.reauthenticate(with: provider, uiDelegate: delegate, completion: completion)
    let _: AuthDataResult = try await user.reauthenticate(with: provider, uiDelegate: delegate)
    user.link(with: provider, uiDelegate: delegate, completion: completion)
    let _: AuthDataResult = try await user.link(with: provider, uiDelegate: delegate)
  }

  static func tokens(_ user: User) {
    let _: (((String?, (any Error)?) -> Void)?) -> Void = user.getIDToken(completion:)
    let _: (Bool, ((String?, (any Error)?) -> Void)?) -> Void =
      user.getIDTokenForcingRefresh(_:completion:)
    let _: (Bool) async throws -> String = user.getIDToken(forcingRefresh:)
    let _: (Bool) async throws -> String = user.idTokenForcingRefresh(_:)
    let _: (((AuthTokenResult?, (any Error)?) -> Void)?) -> Void =
      user.getIDTokenResult(completion:)
    let _: (Bool, ((AuthTokenResult?, (any Error)?) -> Void)?) -> Void =
      user.getIDTokenResult(forcingRefresh:completion:)
    let _: (Bool) async throws -> AuthTokenResult = user.getIDTokenResult(forcingRefresh:)
  }

  static func mails(_ user: User, _ settings: ActionCodeSettings) {
    user.sendEmailVerification()
    user.sendEmailVerification(with: settings)
    user.sendEmailVerification { (_: (any Error)?) in }
    user.sendEmailVerification(with: settings) { (_: (any Error)?) in }
    user.sendEmailVerification(beforeUpdatingEmail: "ana@example.com")
    user.sendEmailVerification(
      beforeUpdatingEmail: "ana@example.com", actionCodeSettings: settings
    ) { (_: (any Error)?) in }
  }

  static func waiting(_ user: User, _ settings: ActionCodeSettings) async throws {
    let _: String = try await user.getIDToken()
    let _: AuthTokenResult = try await user.getIDTokenResult()
    try await user.sendEmailVerification()
    try await user.sendEmailVerification(with: settings)
    try await user.sendEmailVerification(beforeUpdatingEmail: "ana@example.com")
    try await user.sendEmailVerification(
      beforeUpdatingEmail: "ana@example.com", actionCodeSettings: settings)
  }

  static func profile(_ request: UserProfileChangeRequest) {
    let _: String? = request.displayName
    request.displayName = nil
    let _: URL? = request.photoURL
    request.photoURL = nil
    let _: (Done?) -> Void = request.commitChanges(completion:)
    let _: () async throws -> Void = request.commitChanges
  }
}
