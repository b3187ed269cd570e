import GatehouseAuth
import Foundation

enum ValueAPI {
  static func userInfo(_ info: any UserInfo) {
    let _: any NSObjectProtocol = info
    let _: String = info.providerID
    let _: String = info.uid
    let _: String? = info.displayName
    let _: URL? = info.photoURL
    let _: String? = info.email
    let _: String? = info.phoneNumber
  }

  static func metadata(_ metadata: UserMetadata) {
    let _: Date? = metadata.lastSignInDate
    let _: Date? = metadata.creationDate
    coding(metadata)
    let _: (NSCoder) -> UserMetadata? = UserMetadata.init(coder:)
  }

  static func dataResult(_ result: AuthDataResult) {
    let _: User = result.user
    let _: AdditionalUserInfo? = result.additionalUserInfo
    let _: OAuthCredential? = result.credential
    coding(result)
    let _: (NSCoder) -> AuthDataResult? = AuthDataResult.init(coder:)
  }

  static func additional(_ info: AdditionalUserInfo) {
    let _: String = info.providerID
    let _: [String: Any]? = info.profile
    let _: String? = info.username
    let _: Bool = info.isNewUser
    let _: () -> Bool = info.newUser
    coding(info)
    let _: (NSCoder) -> AdditionalUserInfo? = AdditionalUserInfo.init(coder:)
  }

  static func tokenResult(_ result: AuthTokenResult) {
    let _: String = result.token
    let _: Date = result.expirationDate
    let _: Date = result.authDate
    let _: Date = result.issuedAtDate
    let _: String = result.signInProvider
    let _: String = result.signInSecondFactor
    let _: [String: Any] = result.claims
    result.token = ""
    result.expirationDate = .distantPast
    result.authDate = .distantPast
    result.issuedAtDate = .distantPast
    result.signInProvider = ""
    result.signInSecondFactor = ""
    result.claims = [:]
    coding(result)
    let _: (NSCoder) -> AuthTokenResult? = AuthTokenResult.init(coder:)
  }

  static func settings(_ settings: AuthSettings) {
    let _ = AuthSettings()
    settings.appVerificationDisabledForTesting = settings.isAppVerificationDisabledForTesting
    settings.isAppVerificationDisabledForTesting = settings.appVerificationDisabledForTesting
    let _: any NSCopying = settings
    let _: Any = settings.copy()
    let _: Any = settings.copy(with: nil)
  }

  static func pushTokens(_ type: AuthAPNSTokenType) {
    let _: any Sendable = type
    let _: Int = type.rawValue
    switch type {
    case .unknown, .sandbox, .prod: break
    }
  }

  /// A class that can be archived.
  static func coding<Value: NSObject & NSSecureCoding>(_ value: Value) {
    let _: Bool = Value.supportsSecureCoding
    let _: (NSCoder) -> Void = value.encode(with:)
  }
}
