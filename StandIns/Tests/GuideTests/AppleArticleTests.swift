import AuthenticationServices
import FirebaseAuth
import Foundation
import SimulatedDevice
import Testing

@testable import AppleArticle

extension Guides {
  /// What Apple's article “Authenticating users with Sign in with Apple” requires of an app.
  @Suite @MainActor struct AppleArticleTests {
    @Test func `what Apple sends once is stored before a request`() async throws {
      let device = try await Device.unpacked()
      let session = SignInSession()
      session.begin()
      try await eventually { session.saidOnce != nil }
      #expect(session.saidOnce?.name?.givenName == "Zoë")
      #expect(session.saidOnce?.email == device.email)
      try await eventually { session.result != nil || session.failure != nil }
      #expect(session.result?.user.displayName == "Zoë Nguyễn")

      try Auth.auth().signOut()
      let second = SignInSession()
      second.begin()
      try await eventually { second.result != nil || second.failure != nil }
      #expect(second.saidOnce?.name == nil)
      #expect(second.saidOnce?.email == nil)
      #expect(second.result?.user.uid == session.result?.user.uid)
      // The first sign-in sent it to the server too.
      #expect(second.result?.user.displayName == "Zoë Nguyễn")
    }

    @Test func `the first sign-in has the real user status`() async throws {
      _ = try await Device.unpacked()
      let session = SignInSession()
      session.begin()
      try await eventually { session.result != nil || session.failure != nil }
      #expect(session.person == .likelyReal)
      let second = SignInSession()
      second.begin()
      try await eventually { second.result != nil || second.failure != nil }
      #expect(second.person == .needsVerification)
    }

    @Test func `a saved password finds the existing account`() async throws {
      let device = try await Device.unpacked()
      let existing = try await Auth.auth().createUser(
        withEmail: device.email, password: "made-up password"
      ).user.uid
      try Auth.auth().signOut()
      SimulatedDevice.current.savedPassword = .init(
        user: device.email, password: "made-up password")
      SimulatedDevice.current.prefersApple = false
      let session = SignInSession()
      session.begin()
      try await eventually { session.result != nil || session.failure != nil }
      #expect(session.result?.user.uid == existing)
    }

    @Test func `a failing sheet reports its error`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.sheetFault = .failed
      let session = SignInSession()
      session.begin()
      try await eventually { session.failure != nil }
      #expect((session.failure as? ASAuthorizationError)?.code == .failed)
    }
  }
}
