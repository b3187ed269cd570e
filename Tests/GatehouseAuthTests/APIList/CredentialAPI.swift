import GatehouseAuth
import Foundation

enum CredentialAPI {
  static func credentials(
    _ credential: AuthCredential, _ oauth: OAuthCredential, _ phone: PhoneAuthCredential
  ) {
    let _: NSObject & Sendable = credential
    let _: String = credential.provider
    let _: AuthCredential = oauth
    let _: String? = oauth.idToken
    let _: String? = oauth.accessToken
    let _: String? = oauth.secret
    ValueAPI.coding(oauth)
    let _: (NSCoder) -> OAuthCredential? = OAuthCredential.init(coder:)
    let _: AuthCredential = phone
    ValueAPI.coding(phone)
    let _: (NSCoder) -> PhoneAuthCredential? = PhoneAuthCredential.init(coder:)
  }

  static func providerIDs(_ id: AuthProviderID) {
    let _: String = id.rawValue
    let _: [AuthProviderID] = [
      .apple, .email, .facebook, .gameCenter, .gitHub, .google, .phone, .custom("oidc.example"),
    ]
    let _: Bool = id == AuthProviderID.apple
  }

  static func federated(
    _ provider: any FederatedAuthProvider, _ delegate: (any AuthUIDelegate)?
  ) async throws {
    let _: any NSObjectProtocol = provider
    let _: AuthCredential = try await provider.credential(with: delegate)
  }

  static func oauth(_ auth: Auth, _ delegate: (any AuthUIDelegate)?) async throws {
    let provider = OAuthProvider(providerID: "oidc.example")
    let _: any FederatedAuthProvider = provider
    let _ = OAuthProvider(providerID: "oidc.example", auth: auth)
    let _ = OAuthProvider(providerID: AuthProviderID.apple)
    let _ = OAuthProvider(providerID: .custom("oidc.example"), auth: auth)
    let _: (AuthProviderID) -> OAuthProvider = OAuthProvider.provider(providerID:)
    let _: (AuthProviderID, Auth) -> OAuthProvider = OAuthProvider.provider(providerID:auth:)
    let _: String = OAuthProvider.id
    let _: String = provider.providerID
    let _: [String]? = provider.scopes
    provider.scopes = ["email"]
    let _: [String: String]? = provider.customParameters
    provider.customParameters = ["login_hint": "ana@example.com"]
    provider.getCredentialWith(delegate)
    provider.getCredentialWith(nil) { (_: AuthCredential?, _: (any Error)?) in }
    let _: AuthCredential = try await provider.credential(with: delegate)
  }

  static func oauthCredentials() {
    let _: (AuthProviderID, String, String?) -> OAuthCredential =
      OAuthProvider.credential(providerID:idToken:accessToken:)
    let _: OAuthCredential = OAuthProvider.credential(providerID: .apple, idToken: "")
    let _: (AuthProviderID, String) -> OAuthCredential =
      OAuthProvider.credential(providerID:accessToken:)
    let _: (AuthProviderID, String, String, String?) -> OAuthCredential =
      OAuthProvider.credential(providerID:idToken:rawNonce:accessToken:)
    let _: OAuthCredential = OAuthProvider.credential(
      providerID: .apple, idToken: "", rawNonce: "")
    let _: (String, String?, PersonNameComponents?) -> OAuthCredential =
      OAuthProvider.appleCredential(withIDToken:rawNonce:fullName:)
  }

  static func others() {
    let _: [String] = [
      GoogleAuthProvider.id, FacebookAuthProvider.id, EmailAuthProvider.id, TwitterAuthProvider.id,
      GitHubAuthProvider.id, GameCenterAuthProvider.id, PhoneAuthProvider.id,
    ]
    let _: (String, String) -> AuthCredential =
      GoogleAuthProvider.credential(withIDToken:accessToken:)
    let _: (String) -> AuthCredential = FacebookAuthProvider.credential(withAccessToken:)
    let _: (String, String) -> AuthCredential = EmailAuthProvider.credential(withEmail:password:)
    let _: (String, String) -> AuthCredential = EmailAuthProvider.credential(withEmail:link:)
    let _: (String, String) -> AuthCredential = TwitterAuthProvider.credential(withToken:secret:)
    let _: (String) -> AuthCredential = GitHubAuthProvider.credential(withToken:)
    let _: (@escaping (AuthCredential?, (any Error)?) -> Void) -> Void =
      GameCenterAuthProvider.getCredential(completion:)
    let _: () async throws -> AuthCredential = GameCenterAuthProvider.getCredential
  }

  /// The functions of Firebase up to 10.29, and of its guides.
  @available(*, deprecated)
  static func legacy(_ auth: Auth) {
    let _: (String, String, String?) -> OAuthCredential =
      OAuthProvider.credential(withProviderID:idToken:rawNonce:)
    let _: (String, String, String?) -> OAuthCredential =
      OAuthProvider.credential(withProviderID:IDToken:rawNonce:)
    let _: (String, String, String?, String?) -> OAuthCredential =
      OAuthProvider.credential(withProviderID:idToken:rawNonce:accessToken:)
    let _: (String, String, String?) -> OAuthCredential =
      OAuthProvider.credential(withProviderID:idToken:accessToken:)
    let _: (String, String) -> OAuthCredential =
      OAuthProvider.credential(withProviderID:accessToken:)
    let _: (String) -> OAuthProvider = OAuthProvider.provider(providerID:)
    let _: (String, Auth) -> OAuthProvider = OAuthProvider.provider(providerID:auth:)
    // The result of the fix-its for calls with literals.
    let _ = OAuthProvider.credential(providerID: "apple.com", idToken: "", rawNonce: nil)
    let _ = OAuthProvider.credential(providerID: "apple.com", idToken: "", rawNonce: "")
  }
}
