public import Foundation

// The constants of the Objective-C SDK, which Swift code and Firebase's guides still use.

/// ``AuthErrors/domain``
public let AuthErrorDomain: String = AuthErrors.domain
/// ``AuthErrors/userInfoNameKey``
public let AuthErrorUserInfoNameKey: String = AuthErrors.userInfoNameKey
/// ``AuthErrors/userInfoEmailKey``
public let AuthErrorUserInfoEmailKey: String = AuthErrors.userInfoEmailKey
/// ``AuthErrors/userInfoUpdatedCredentialKey``
public let AuthErrorUserInfoUpdatedCredentialKey: String = AuthErrors.userInfoUpdatedCredentialKey
/// ``AuthErrors/userInfoMultiFactorResolverKey``
public let AuthErrorUserInfoMultiFactorResolverKey: String =
  AuthErrors.userInfoMultiFactorResolverKey

/// `password`
public let EmailAuthProviderID: String = "password"
/// `emailLink`
public let EmailLinkAuthSignInMethod: String = "emailLink"
/// `password`
public let EmailPasswordAuthSignInMethod: String = "password"
/// `google.com`
public let GoogleAuthProviderID: String = "google.com"
/// `google.com`
public let GoogleAuthSignInMethod: String = "google.com"
/// `facebook.com`
public let FacebookAuthProviderID: String = "facebook.com"
/// `facebook.com`
public let FacebookAuthSignInMethod: String = "facebook.com"
/// `twitter.com`
public let TwitterAuthProviderID: String = "twitter.com"
/// `twitter.com`
public let TwitterAuthSignInMethod: String = "twitter.com"
/// `github.com`
public let GitHubAuthProviderID: String = "github.com"
/// `github.com`
public let GitHubAuthSignInMethod: String = "github.com"
/// `gc.apple.com`
public let GameCenterAuthProviderID: String = "gc.apple.com"
/// `gc.apple.com`
public let GameCenterAuthSignInMethod: String = "gc.apple.com"
/// `phone`
public let PhoneAuthProviderID: String = "phone"
/// `phone`
public let PhoneAuthSignInMethod: String = "phone"
/// `phone`
public let PhoneMultiFactorID: String = "phone"
/// `totp`
public let TOTPMultiFactorID: String = "totp"

/// The handle that `Auth.addStateDidChangeListener(_:)` returns, to remove the listener.
public typealias AuthStateDidChangeListenerHandle = NSObjectProtocol
/// The handle that `Auth.addIDTokenDidChangeListener(_:)` returns, to remove the listener.
public typealias IDTokenDidChangeListenerHandle = NSObjectProtocol
