import AuthenticationServices
import FirebaseAuth
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
    /// Earlier tests' managers. They must not react to later tests' documents.
    private static var managers: [AuthManager] = []

    init() {
      for manager in Self.managers { manager.removeAuthStateListener() }
      Self.managers = []
    }

    private func makeManager() -> AuthManager {
      let manager = AuthManager()
      Self.managers.append(manager)
      return manager
    }

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
      let documents = try openDocuments()
      defer { documents.stop() }
      let uid = try await signIn(device, apple: apple, google: google)
      let user = try #require(Auth.auth().currentUser)
      // The tutorial's classes are written for Swift 5.
      nonisolated(unsafe) let firestore = FirestoreManager()
      try await firestore.setUserDocument(user)
      let manager = makeManager()
      try await manager.deleteUserAccount()

      #expect(try await device.account(uid).isNull)
      #expect(documents.document(uid) == nil)
      // The manager's first look at the document may come before or after.
      #expect(documents.requests.contains("DELETE /users/\(uid)"))
      #expect(Auth.auth().currentUser == nil)
      #expect(manager.authState == .signedOut)
      if apple { #expect(try await device.appleState() == "revoked") }
      if google {
        #expect(try await device.apps(at: "google").isEmpty)
        #expect(!GIDSignIn.sharedInstance.hasPreviousSignIn())
      }
    }

    private func openDocuments() throws -> DocumentServer {
      let documents = try DocumentServer()
      ExampleServer.documents = documents.url
      return documents
    }

    @Test func `signing in writes the user's document, with the name that Apple sends once`()
      async throws
    {
      _ = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      let manager = makeManager()
      try await manager.signInWithApple()
      let uid = try #require(Auth.auth().currentUser?.uid)
      let document = try #require(documents.document(uid))
      #expect(JSON(reading: document)["name"].string == "Zoë Nguyễn")
      #expect(manager.authState == .signedIn)
    }

    @Test func `signing in with Google writes the user's document too`() async throws {
      _ = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      let manager = makeManager()
      try await manager.signInWithGoogle()
      let uid = try #require(Auth.auth().currentUser?.uid)
      #expect(documents.document(uid) != nil)
    }

    @Test func `a launch that finds the document does not refresh the token`() async throws {
      let device = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      let first = makeManager()
      try await first.signInWithApple()
      first.removeAuthStateListener()
      let user = try #require(Auth.auth().currentUser)
      let token = try await user.getIDToken()
      let before = documents.requests.count
      let second = makeManager()
      try await eventually { documents.requests.count > before }
      #expect(documents.requests.last == "GET /users/\(user.uid)")
      // The app forces a refresh only if the document is missing.
      #expect(documents.document(user.uid) != nil)
      #expect(try await user.getIDToken() == token)
      #expect(try await device.account(user.uid)["localId"].string == user.uid)
    }

    @Test func `a document that couldn't be written is written at the next launch`() async throws {
      _ = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      documents.refuse("PUT")
      let first = makeManager()
      try await first.signInWithApple()
      first.removeAuthStateListener()
      let uid = try #require(Auth.auth().currentUser?.uid)
      #expect(documents.document(uid) == nil)
      documents.refuse(nil)
      let second = makeManager()
      try await eventually { documents.document(uid) != nil }
      #expect(Auth.auth().currentUser?.uid == uid)
    }

    @Test func `a document that can't be deleted keeps the account, with an error of its own`()
      async throws
    {
      let device = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      let manager = makeManager()
      try await manager.signInWithApple()
      let uid = try #require(Auth.auth().currentUser?.uid)
      documents.refuse("DELETE")
      await #expect(throws: AuthErrors.DeleteDocument) { try await manager.deleteUserAccount() }
      #expect(try await device.account(uid)["localId"].string == uid)
      #expect(documents.document(uid) != nil)
    }

    @Test func `each error has a message that says what to do, and a closed sheet has none`() {
      let errors: [any Error] = [
        AuthErrors.ReauthenticateApple, AuthErrors.ReauthenticateGoogle, AuthErrors.RevokeAppleID,
        AuthErrors.RevokeGoogle, AuthErrors.DeleteDocument,
        AuthErrorCode.requiresRecentLogin.error(), AuthErrorCode.networkError.error(),
        AuthErrorCode.internalError.error(),
      ]
      let messages = errors.compactMap { ErrorMessage($0) }
      #expect(messages.count == errors.count)
      #expect(Set(messages.map(\.title)).count == errors.count)
      #expect(messages.allSatisfy { $0.text.count > 30 })
      #expect(ErrorMessage(ASAuthorizationError(.canceled)) == nil)
      #expect(ErrorMessage(GIDSignInError(.canceled)) == nil)
    }

    @Test func `the app can be created`() async throws {
      _ = try await Device.unpacked()
      let app = AccountDeletionApp()
      Self.managers.append(app.authManager)
      _ = app.body
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `a revocation that fails has an error of its own, and the account stays`()
      async throws
    {
      let device = try await Device.unpacked()
      let uid = try await signIn(device, apple: true, google: false)
      try await device.setFault("/apple/auth/token", status: 503, count: 20)
      await #expect(throws: AuthErrors.RevokeAppleID) {
        try await makeManager().deleteUserAccount()
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
        try await makeManager().revokeGoogleAccount()
      }
    }

    @Test func `the credential of a fresh Apple sheet re-authenticates the user`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: true, google: false)
      let user = try #require(Auth.auth().currentUser)
      let credential = try await AppleSignInManager.shared.requestAppleAuthorization()
      try await makeManager().reauthenticateAppleID(credential, for: user)
    }

    @Test func `another person's sheet does not re-authenticate`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: true, google: false)
      let user = try #require(Auth.auth().currentUser)
      let other = device.person + "-other"
      try await device.make(other)
      SimulatedDevice.current.person = other
      let credential = try await AppleSignInManager.shared.requestAppleAuthorization()
      await #expect(throws: AuthErrors.ReauthenticateApple) {
        try await makeManager().reauthenticateAppleID(credential, for: user)
      }
    }

    @Test func `the stored Google account re-authenticates`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: false, google: true)
      let user = try #require(Auth.auth().currentUser)
      try await makeManager().reauthenticateGoogleAccount(for: user)
    }

    @Test func `a closed sheet is an error`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.decision = .cancels
      await #expect(throws: (any Error).self) {
        try await AppleSignInManager.shared.requestAppleAuthorization()
      }
    }

    @Test func `Google's tokens are refreshed only after an hour`() async throws {
      let device = try await Device.unpacked()
      let first = try await GoogleSignInManager.shared.signInWithGoogle()
      GIDSignIn.sharedInstance.simulateRelaunch()
      let requests = SimulatorCall.count
      let second = try await GoogleSignInManager.shared.signInWithGoogle()
      #expect(SimulatorCall.count == requests)
      #expect(second?.userID == first?.userID)

      // Revoked elsewhere: the stored tokens don't show it for an hour.
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

    @Test func `the launch check keeps the user while one provider is authorized`()
      async throws
    {
      let device = try await Device.unpacked()
      let uid = try await signIn(device, apple: true, google: true)
      let manager = makeManager()
      try await device.withdraw("apple", "com.example.app")
      await manager.verifySignInProvider()
      #expect(Auth.auth().currentUser?.uid == uid)
    }

    @Test func `the launch check signs out after two revocations, on its condition`() async throws {
      let device = try await Device.unpacked()
      _ = try await signIn(device, apple: true, google: true)
      let manager = makeManager()
      try await device.withdraw("apple", "com.example.app")
      GIDSignIn.sharedInstance.signOut()
      await manager.verifySignInProvider()
      // The tutorial's condition requires a state other than `signedIn`.
      #expect(Auth.auth().currentUser != nil)
      manager.authState = .signedOut
      await manager.verifySignInProvider()
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `a forced refresh finds out that the account is gone`() async throws {
      let device = try await Device.unpacked()
      let uid = try await signIn(device, apple: true, google: false)
      let manager = makeManager()
      #expect(await manager.verifyAuthTokenResult())
      try await device.deleteAccountAsAdministrator(uid)
      #expect(!(await manager.verifyAuthTokenResult()))
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `the user's document shows whether the account still exists`() async throws {
      let device = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      let uid = try await signIn(device, apple: true, google: false)
      let user = try #require(Auth.auth().currentUser)
      // The tutorial's classes are written for Swift 5.
      nonisolated(unsafe) let firestore = FirestoreManager()
      await #expect(throws: FirestoreErrors.DocumentDoesNotExist) {
        try await firestore.getUserDocument(user)
      }
      let document = firestore.db.collection(Collection.Users).document(uid)
      try await document.setData(["name": "Zoë"])
      #expect(try await firestore.getUserDocument(user))
      #expect(try await document.getDocument().data()?["name"] as? String == "Zoë")

      // The back end refuses every request for another user's document.
      let other = firestore.db.collection(Collection.Users).document("somebody-else")
      await #expect(throws: FirestoreFault(status: 403)) { try await other.getDocument() }
    }

    @Test func `a second device notices the missing document, and signs out`() async throws {
      let device = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      let uid = try await signIn(device, apple: true, google: false)
      // The first device deleted the account and its document; this one has a token for an hour.
      try await device.deleteAccountAsAdministrator(uid)
      let manager = makeManager()
      try await eventually { Auth.auth().currentUser == nil }
      try await eventually { manager.authState == .signedOut }
    }

    @Test func `a deletion on another device signs this one out, with no call of the app`()
      async throws
    {
      let device = try await Device.unpacked()
      let documents = try openDocuments()
      defer { documents.stop() }
      // As in an app that doesn't turn it off.
      let listening = Auth.auth().client.listenForChanges()
      defer { listening.cancel() }
      let manager = makeManager()
      try await manager.signInWithApple()
      #expect(manager.authState == .signedIn)
      try await device.deleteAccountOnAnotherDevice()
      try await eventually { manager.authState == .signedOut }
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `a date is within the past minutes, or is not`() {
      #expect(Date.now.addingTimeInterval(-290).isWithinPast(minutes: 5))
      #expect(!Date.now.addingTimeInterval(-310).isWithinPast(minutes: 5))
      #expect(!Date.now.addingTimeInterval(60).isWithinPast(minutes: 5))
    }
  }
}
