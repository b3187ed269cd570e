import AuthenticationServices
import FacebookCore
import FirebaseAuth
import FirebaseCore
import Foundation
import SimulatedDevice
import Testing
import UIKit

@testable import SignInWithApple

extension Guides {
  /// Firebase's guide “Authenticate Using Apple”: its view controllers and its other snippets.
  @Suite @MainActor struct SignInWithAppleTests {
    private func press(_ button: UIControl) { button.sendActions(for: .touchUpInside) }

    @Test func `the button signs in, with the name and email that Apple sends once`() async throws {
      let device = try await Device.unpacked()
      let screen = MainViewController()
      UIApplication.shared.simulateLaunch(screen)
      press(screen.signInButton)
      try await eventually { Auth.auth().currentUser != nil }

      let user = try #require(Auth.auth().currentUser)
      #expect(user.providerData.map(\.providerID) == ["apple.com"])
      #expect(user.email == device.email)
      #expect(user.isEmailVerified)
      #expect(user.displayName == "Zoë Nguyễn")
      #expect(try await device.account(user.uid)["displayName"].string == "Zoë Nguyễn")
    }

    @Test func `a user who hides the address has a relay address`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.hidesEmail = true
      let screen = MainViewController()
      UIApplication.shared.simulateLaunch(screen)
      press(screen.signInButton)
      try await eventually { Auth.auth().currentUser != nil }
      #expect(Auth.auth().currentUser?.email?.hasSuffix("@privaterelay.appleid.com") == true)
    }

    @Test func `a closed sheet signs no user in`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.decision = .cancels
      let screen = MainViewController()
      UIApplication.shared.simulateLaunch(screen)
      let before = SimulatedDevice.sheetsEnded
      press(screen.signInButton)
      try await eventually { SimulatedDevice.sheetsEnded > before }
      #expect(Auth.auth().currentUser == nil)
    }

    @Test(arguments: [SimulatedDevice.SheetFault.noIdentityToken, .identityTokenIsNotText])
    func `a sheet without a readable token signs no user in`(
      _ fault: SimulatedDevice.SheetFault
    ) async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.sheetFault = fault
      let screen = MainViewController()
      UIApplication.shared.simulateLaunch(screen)
      let before = SimulatedDevice.sheetsEnded
      press(screen.signInButton)
      try await eventually { SimulatedDevice.sheetsEnded > before }
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `a token with another nonce is refused with Firebase's code`() async throws {
      let device = try await Device.unpacked()
      let (sheet, _) = try await device.appleSheet()
      let token = String(decoding: try #require(sheet.identityToken), as: UTF8.self)
      let credential = OAuthProvider.appleCredential(
        withIDToken: token, rawNonce: "another", fullName: nil)
      do {
        try await Auth.auth().signIn(with: credential)
        Issue.record("It was accepted.")
      } catch let error as NSError {
        #expect(error.code == AuthErrorCode.missingOrInvalidNonce.rawValue)
        #expect(error.domain == AuthErrorDomain)
      }
    }

    @Test func `the user re-authenticates with a fresh Apple credential`() async throws {
      let device = try await Device.unpacked()
      try await Auth.auth().signIn(with: try await device.appleCredential())
      let uid = Auth.auth().currentUser?.uid
      let (sheet, nonce) = try await device.appleSheet()
      let token = String(decoding: try #require(sheet.identityToken), as: UTF8.self)
      let result: AuthDataResult = try await outcome {
        reauthenticate(appleIdToken: token, rawNonce: nonce, done: $0)
      }
      #expect(result.user.uid == uid)
    }

    @Test func `another person can't re-authenticate the user`() async throws {
      let device = try await Device.unpacked()
      try await Auth.auth().signIn(with: try await device.appleCredential())
      let other = device.person + "-other"
      try await device.make(other)
      SimulatedDevice.current.person = other
      let (sheet, nonce) = try await device.appleSheet()
      let token = String(decoding: try #require(sheet.identityToken), as: UTF8.self)
      do {
        let _: AuthDataResult = try await outcome {
          reauthenticate(appleIdToken: token, rawNonce: nonce, done: $0)
        }
        Issue.record("It was accepted.")
      } catch let error as NSError {
        #expect(error.code == AuthErrorCode.userMismatch.rawValue)
      }
    }

    @Test func `Facebook is linked by its access token`() async throws {
      let device = try await Device.unpacked()
      try await Auth.auth().signIn(with: try await device.appleCredential())
      try await AccessToken.simulateLogIn()
      let token = try #require(AccessToken.current).tokenString
      let result: AuthDataResult = try await outcome { linkFacebook(token: token, done: $0) }
      #expect(Set(result.user.providerData.map(\.providerID)) == ["apple.com", "facebook.com"])
    }

    @Test func `linking another user's Apple account signs in as that user`() async throws {
      let device = try await Device.unpacked()
      let owner = try await Auth.auth().signIn(with: try await device.appleCredential()).user.uid
      try Auth.auth().signOut()
      let guest = try await Auth.auth().signInAnonymously().user.uid
      #expect(guest != owner)
      let credential = try await device.appleCredential()
      let result: AuthDataResult = try await outcome {
        linkAppleOrSignIn(with: credential, done: $0)
      }
      #expect(result.user.uid == owner)
      #expect(Auth.auth().currentUser?.uid == owner)
    }

    @Test func `the account is deleted, and the app's access at Apple is revoked`() async throws {
      let device = try await Device.unpacked()
      let uid = try await Auth.auth().signIn(with: try await device.appleCredential()).user.uid
      #expect(try await device.appleState() == "authorized")
      let screen = DeleteAccountViewController()
      UIApplication.shared.simulateLaunch(screen)
      press(screen.deleteButton)
      try await eventually { !screen.message.isEmpty }

      #expect(screen.message == "Deleted")
      #expect(Auth.auth().currentUser == nil)
      #expect(try await device.account(uid).isNull)
      #expect(try await device.appleState() == "revoked")
    }

    @Test func `a user who closes the sheet keeps the account`() async throws {
      let device = try await Device.unpacked()
      let uid = try await Auth.auth().signIn(with: try await device.appleCredential()).user.uid
      SimulatedDevice.current.decision = .cancels
      let screen = DeleteAccountViewController()
      UIApplication.shared.simulateLaunch(screen)
      press(screen.deleteButton)
      try await eventually { !screen.message.isEmpty }
      #expect(screen.message != "Deleted")
      #expect(Auth.auth().currentUser?.uid == uid)
      #expect(try await device.account(uid)["localId"].string == uid)
    }

    @Test func `the app shows the guide's view controllers, with the plist of its package`()
      async throws
    {
      _ = try await Device.unpacked()
      _ = SignInWithAppleApp().body
      let path = try #require(
        SignInWithAppleApp.resources.path(forResource: "GoogleService-Info", ofType: "plist"))
      #expect(FirebaseOptions(contentsOfFile: path)?.bundleID == "com.example.app")
      for screen in [GuideScreen.signIn, .deleteAccount] {
        let controller = screen.makeUIViewController(context: .init())
        #expect(controller.isViewLoaded)
        #expect(controller.view.subviews.contains { $0 is UIControl })
      }
    }

    @Test func `signing out leaves no current user`() async throws {
      let device = try await Device.unpacked()
      try await Auth.auth().signIn(with: try await device.appleCredential())
      SignInWithApple.signOut()
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `a nonce has the requested length, and its hash is its SHA-256`() throws {
      #expect(try CryptoUtils.randomNonceString().count == 32)
      #expect(try CryptoUtils.randomNonceString() != CryptoUtils.randomNonceString())
      // FIPS 180-2, appendix B.1.
      #expect(
        CryptoUtils.sha256("abc")
          == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
  }
}
