import FirebaseAuth
import FirebaseFirestore
import Foundation
import GoogleSignIn
import SimulatedDevice
import Testing
import UIKit

@testable import AccountDeletion

extension Guides {
  /// The SwiftUI tutorial on deleting accounts and revoking tokens.
  @Suite @MainActor struct AccountDeletionTests {
    private static let googleClient = "demo.apps.example.com"

    private func signIn(_ device: Device, apple: Bool, google: Bool) async throws -> String {
      var uid: String?
      if apple {
        uid = try await Auth.auth().signIn(with: try await device.appleCredential()).user.uid
      }
      if google {
        let credential = try await device.googleCredential()
        if let user = Auth.auth().currentUser {
          try await user.link(with: credential)
        } else {
          uid = try await Auth.auth().signIn(with: credential).user.uid
        }
      }
      return try #require(uid)
    }

    @Test(arguments: [(true, false), (false, true), (true, true)])
    func `an account is revoked at its providers and deleted`(
      _ apple: Bool, _ google: Bool
    ) async throws {
      let device = try await Device.unpacked()
      let uid = try await signIn(device, apple: apple, google: google)
      let manager = AuthManager()
      try await manager.deleteUserAccount()

      #expect(try await device.account(uid).isNull)
      #expect(Auth.auth().currentUser == nil)
      #expect(manager.authState == .signedOut)
      if apple { #expect(try await device.appleState() == "revoked") }
      if google {
        #expect(try await device.apps(at: "google").isEmpty)
        #expect(!GIDSignIn.sharedInstance.hasPreviousSignIn())
      }
    }

    @Test func `a revocation that fails has an error of its own, and the account stays`()
      async throws
    {
      let device = try await Device.unpacked()
      let uid = try await signIn(device, apple: true, google: false)
      try await device.setFault("/apple/auth/token", status: 503, count: 20)
      await #expect(throws: AuthErrors.RevokeAppleID) {
        try await AuthManager().deleteUserAccount()
      }
      try await device.endFaults()
      #expect(try await device.account(uid)["localId"].string == uid)
      #expect(Auth.auth().currentUser?.uid == uid)
    }

    @Test func `without a network Google's revocation fails with its own error`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: false, google: true)
      SimulatedDevice.current.isOffline = true
      await #expect(throws: AuthErrors.RevokeGoogle) {
        try await AuthManager().revokeGoogleAccount()
      }
    }

    @Test func `Apple's credential of a fresh sheet re-authenticates`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: true, google: false)
      let user = try #require(Auth.auth().currentUser)
      let credential = try await AppleSignInManager.shared.requestAppleAuthorization()
      try await AuthManager().reauthenticateAppleID(credential, for: user)
    }

    @Test func `somebody else's sheet doesn't`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: true, google: false)
      let user = try #require(Auth.auth().currentUser)
      let other = device.person + "-other"
      try await device.make(other)
      SimulatedDevice.current.person = other
      let credential = try await AppleSignInManager.shared.requestAppleAuthorization()
      await #expect(throws: AuthErrors.ReauthenticateApple) {
        try await AuthManager().reauthenticateAppleID(credential, for: user)
      }
    }

    @Test func `Google's account that is kept re-authenticates`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: false, google: true)
      let user = try #require(Auth.auth().currentUser)
      try await AuthManager().reauthenticateGoogleAccount(for: user)
    }

    @Test func `a closed sheet is an error of the person's`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.decision = .cancels
      await #expect(throws: (any Error).self) {
        try await AppleSignInManager.shared.requestAppleAuthorization()
      }
    }

    @Test func `Google is asked again only after an hour`() async throws {
      let device = try await Device.unpacked()
      let first = try await GoogleSignInManager.shared.signInWithGoogle()
      GIDSignIn.sharedInstance.simulateRelaunch()
      let requests = SimulatorCall.count
      let second = try await GoogleSignInManager.shared.signInWithGoogle()
      #expect(SimulatorCall.count == requests)
      #expect(second?.userID == first?.userID)

      // Revoked from outside: what is kept doesn't know, for an hour.
      try await device.withdraw("google", Self.googleClient)
      GIDSignIn.sharedInstance.simulateRelaunch()
      try await GIDSignIn.sharedInstance.restorePreviousSignIn()
      GIDSignIn.sharedInstance.simulateRelaunch()
      SimulatedDevice.current.secondsAhead = 3601
      do {
        try await GIDSignIn.sharedInstance.restorePreviousSignIn()
        Issue.record("It was restored.")
      } catch let error as NSError {
        #expect(error.localizedDescription.contains("invalid_grant"))
        #expect(error.localizedDescription.contains("Token has been expired or revoked."))
      }
    }

    @Test func `the launch check leaves who is signed in as long as a provider says yes`()
      async throws
    {
      let device = try await Device.unpacked()
      let uid = try await signIn(device, apple: true, google: true)
      let manager = AuthManager()
      try await device.withdraw("apple", "com.example.app")
      await manager.verifySignInProvider()
      #expect(Auth.auth().currentUser?.uid == uid)
    }

    @Test func `and signs out when both have said no, where its condition lets it`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: true, google: true)
      let manager = AuthManager()
      try await device.withdraw("apple", "com.example.app")
      GIDSignIn.sharedInstance.signOut()
      await manager.verifySignInProvider()
      // The tutorial's condition asks for a state that isn't `signedIn`.
      #expect(Auth.auth().currentUser != nil)
      manager.authState = .signedOut
      await manager.verifySignInProvider()
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `a forced refresh finds out that the account is gone`() async throws {
      let device = try await Device.unpacked()
      let uid = try await signIn(device, apple: true, google: false)
      let manager = AuthManager()
      #expect(await manager.verifyAuthTokenResult())
      try await device.deleteAccountAsAdministrator(uid)
      #expect(!(await manager.verifyAuthTokenResult()))
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `the person's document tells whether the account is still there`() async throws {
      let device = try await Device.unpacked()
      let documents = try DocumentServer()
      defer { documents.stop() }
      Firestore.simulatedServerURL = documents.url
      let uid = try await signIn(device, apple: true, google: false)
      let user = try #require(Auth.auth().currentUser)
      // The tutorial's class is of Swift 5.
      nonisolated(unsafe) let firestore = FirestoreManager()
      await #expect(throws: FirestoreErrors.DocumentDoesNotExist) {
        try await firestore.getUserDocument(user)
      }
      let document = firestore.db.collection(Collection.Users).document(uid)
      try await document.setData(["name": "Zoë"])
      #expect(try await firestore.getUserDocument(user))
      #expect(try await document.getDocument().data()?["name"] as? String == "Zoë")

      // Another's is none of theirs, whatever is asked.
      let other = firestore.db.collection(Collection.Users).document("somebody-else")
      await #expect(throws: FirestoreFault(status: 403)) { try await other.getDocument() }
    }

    @Test func `a second device finds out by the missing document, and signs out`() async throws {
      let device = try await Device.unpacked()
      let documents = try DocumentServer()
      defer { documents.stop() }
      Firestore.simulatedServerURL = documents.url
      let uid = try await signIn(device, apple: true, google: false)
      // The first device deleted the account and its document; this one has a token for an hour.
      try await device.deleteAccountAsAdministrator(uid)
      let manager = AuthManager()
      defer { manager.removeAuthStateListener() }
      try await eventually { Auth.auth().currentUser == nil }
      try await eventually { manager.authState == .signedOut }
    }

    @Test func `a date is within the past minutes or it isn't`() {
      #expect(Date.now.addingTimeInterval(-290).isWithinPast(minutes: 5))
      #expect(!Date.now.addingTimeInterval(-310).isWithinPast(minutes: 5))
      #expect(!Date.now.addingTimeInterval(60).isWithinPast(minutes: 5))
    }
  }
}
