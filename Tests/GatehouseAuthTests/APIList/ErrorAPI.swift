import GatehouseAuth
import Foundation

enum ErrorAPI {
  static func keys() {
    let _: NSObject.Type = AuthErrors.self
    let _: [String] = [
      AuthErrors.domain, AuthErrors.userInfoNameKey, AuthErrors.userInfoEmailKey,
      AuthErrors.userInfoUpdatedCredentialKey, AuthErrors.userInfoMultiFactorResolverKey,
    ]
  }

  static func code(_ code: AuthErrorCode) {
    let _: any Error = code
    let _: Int = code.rawValue
    let _: AuthErrorCode = code.code
    let _: (Int) -> AuthErrorCode? = AuthErrorCode.init(rawValue:)
    let _: AuthErrorCode.Code = code
  }

  static func globals() {
    let _: [String] = [
      AuthErrorDomain, AuthErrorUserInfoNameKey, AuthErrorUserInfoEmailKey,
      AuthErrorUserInfoUpdatedCredentialKey, AuthErrorUserInfoMultiFactorResolverKey,
      EmailAuthProviderID, EmailLinkAuthSignInMethod, EmailPasswordAuthSignInMethod,
      GoogleAuthProviderID, GoogleAuthSignInMethod, FacebookAuthProviderID,
      FacebookAuthSignInMethod, TwitterAuthProviderID, TwitterAuthSignInMethod,
      GitHubAuthProviderID, GitHubAuthSignInMethod, GameCenterAuthProviderID,
      GameCenterAuthSignInMethod, PhoneAuthProviderID, PhoneAuthSignInMethod, PhoneMultiFactorID,
      TOTPMultiFactorID,
    ]
  }
}
