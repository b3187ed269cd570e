import GatehouseAuth
import Foundation
import Testing

/// Phone numbers as Firebase's guide for iOS uses them.
@Suite(.developmentServer, .timeLimit(.minutes(5)))
struct FacadePhoneTests {
  private func credential(
    _ number: String, _ device: FacadeApp
  ) async throws -> PhoneAuthCredential {
    let provider = PhoneAuthProvider.provider(auth: device.auth)
    let id = try await provider.verifyPhoneNumber(number, uiDelegate: nil)
    return provider.credential(
      withVerificationID: id, verificationCode: try await device.server.verificationCode(id))
  }

  @Test func `signing in with a number`() async throws {
    let device = try FacadeApp(try suiteServer())
    let number = Unique.phoneNumber()
    device.auth.settings?.isAppVerificationDisabledForTesting = true
    let result = try await device.auth.signIn(with: try await credential(number, device))
    #expect(result.additionalUserInfo?.isNewUser == true)
    #expect(result.additionalUserInfo?.providerID == "phone")
    #expect(result.user.phoneNumber == number)
    #expect(result.user.providerData.map(\.providerID) == [PhoneAuthProviderID])
    let claims = try await result.user.getIDTokenResult().claims
    #expect(claims["phone_number"] as? String == number)
    #expect(try await result.user.getIDTokenResult().signInProvider == "phone")
  }

  @Test func `by completion handler`() async throws {
    let device = try FacadeApp(try suiteServer())
    let auth = device.auth
    let id = await withCheckedContinuation { continuation in
      PhoneAuthProvider.provider(auth: auth).verifyPhoneNumber(
        Unique.phoneNumber(), uiDelegate: nil
      ) { id, error in
        MainActor.assertIsolated()
        #expect(error == nil)
        continuation.resume(returning: id)
      }
    }
    let code = try await device.server.verificationCode(id)
    let credential = PhoneAuthProvider.provider(auth: auth).credential(
      withVerificationID: try #require(id), verificationCode: code)
    try await auth.signIn(with: credential)
  }

  @Test func `linking, updating and unlinking`() async throws {
    let device = try FacadeApp(try suiteServer())
    let (first, second) = (Unique.phoneNumber(), Unique.phoneNumber())
    let user = try await device.auth.signInAnonymously().user
    let uid = user.uid
    try await user.link(with: try await credential(first, device))
    #expect(user.uid == uid && user.phoneNumber == first && !user.isAnonymous)
    #expect(
      await authCode { try await user.link(with: try await credential(second, device)) }
        == .providerAlreadyLinked)
    try await user.updatePhoneNumber(try await credential(second, device))
    #expect(user.phoneNumber == second)
    try await user.reauthenticate(with: try await credential(second, device))
    try await user.unlink(fromProvider: "phone")
    #expect(user.phoneNumber == nil && user.providerData.isEmpty)
    #expect(
      await authCode { try await user.unlink(fromProvider: "phone") } == .noSuchProvider)
  }

  @Test func `another account's number comes with an updated credential`() async throws {
    let device = try FacadeApp(try suiteServer())
    let number = Unique.phoneNumber()
    let owner = try await device.auth.signIn(with: try await credential(number, device)).user.uid
    try device.auth.signOut()
    let guest = try await device.auth.signInAnonymously().user
    let error = await authError { try await guest.link(with: try await credential(number, device)) }
    #expect(error?.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
    let updated = try #require(
      error?.userInfo[AuthErrors.userInfoUpdatedCredentialKey] as? PhoneAuthCredential)
    #expect(try await device.auth.signIn(with: updated).user.uid == owner)
  }

  @Test func `each mistake has its error`() async throws {
    let device = try FacadeApp(try suiteServer())
    let provider = PhoneAuthProvider.provider(auth: device.auth)
    let auth = device.auth
    #expect(await authCode { _ = try await provider.verifyPhoneNumber("") } == .missingPhoneNumber)
    #expect(
      await authCode { _ = try await provider.verifyPhoneNumber("555-0100") } == .invalidPhoneNumber
    )
    func code(_ id: String, _ code: String) async -> AuthErrorCode? {
      await authCode {
        try await auth.signIn(
          with: provider.credential(withVerificationID: id, verificationCode: code))
      }
    }
    #expect(await code("", "123456") == .missingVerificationID)
    #expect(await code("id", "") == .missingVerificationCode)
    #expect(await code("id", "123456") == .invalidVerificationID)
    let id = try await provider.verifyPhoneNumber(Unique.phoneNumber())
    let right = try await device.server.verificationCode(id)
    let wrong = right == "000000" ? "000001" : "000000"
    for _ in 0..<5 { #expect(await code(id, wrong) == .invalidVerificationCode) }
    #expect(await code(id, right) == .sessionExpired)
  }
}
