import GatehouseAuth
import Foundation
import Testing

@Suite("The Objective-C SDK's constants") struct LegacyGlobalsTests {
  @Test func `have its values`() {
    #expect(AuthErrorDomain == "FIRAuthErrorDomain")
    #expect(AuthErrorUserInfoNameKey == "FIRAuthErrorUserInfoNameKey")
    #expect(AuthErrorUserInfoEmailKey == "FIRAuthErrorUserInfoEmailKey")
    #expect(AuthErrorUserInfoUpdatedCredentialKey == "FIRAuthErrorUserInfoUpdatedCredentialKey")
    #expect(
      AuthErrorUserInfoMultiFactorResolverKey == "FIRAuthErrorUserInfoMultiFactorResolverKey")
    #expect(NSNotification.Name.AuthStateDidChange.rawValue == "FIRAuthStateDidChangeNotification")
    #expect(EmailLinkAuthSignInMethod == "emailLink")
    #expect(EmailPasswordAuthSignInMethod == "password")
    #expect(PhoneMultiFactorID == "phone")
    #expect(TOTPMultiFactorID == "totp")
  }

  @available(*, deprecated, message: "The test is about it.")
  @Test func `the deprecated names stand for requiresRecentLogin`() throws {
    #expect(FIRAuthErrorCodeCredentialTooOld == .requiresRecentLogin)
    #expect(AuthErrorCode.credentialTooOld.rawValue == 17014)
    do {
      throw AuthErrorCode.requiresRecentLogin.error()
    } catch FIRAuthErrorCodeCredentialTooOld {
      // `catch` matches it, as the tutorial writes it.
    }
  }

  @Test func `equal the providers' ids`() {
    #expect(EmailAuthProviderID == EmailAuthProvider.id)
    #expect(GoogleAuthProviderID == GoogleAuthProvider.id)
    #expect(GoogleAuthSignInMethod == GoogleAuthProvider.id)
    #expect(FacebookAuthProviderID == FacebookAuthProvider.id)
    #expect(FacebookAuthSignInMethod == FacebookAuthProvider.id)
    #expect(TwitterAuthProviderID == TwitterAuthProvider.id)
    #expect(TwitterAuthSignInMethod == TwitterAuthProvider.id)
    #expect(GitHubAuthProviderID == GitHubAuthProvider.id)
    #expect(GitHubAuthSignInMethod == GitHubAuthProvider.id)
    #expect(GameCenterAuthProviderID == GameCenterAuthProvider.id)
    #expect(GameCenterAuthSignInMethod == GameCenterAuthProvider.id)
    #expect(PhoneAuthProviderID == PhoneAuthProvider.id)
    #expect(PhoneAuthSignInMethod == PhoneAuthProvider.id)
  }
}
