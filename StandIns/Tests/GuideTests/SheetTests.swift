import Foundation
import GatehouseClient
import GoogleSignIn
import SimulatedDevice
import Testing
import UIKit

extension Guides {
  /// The client's own sheets, over the stand-ins of the system's classes.
  @Suite @MainActor struct SheetTests {
    private let request = AppleAuthorizationRequest(nonce: Nonce().sha256, state: "state")

    @Test func `Apple's sheet tells what its credential has`() async throws {
      let device = try await Device.unpacked()
      let first = try await AppleSheet().authorize(request)
      #expect(first.fullName == PersonName(givenName: "Zoë", familyName: "Nguyễn"))
      #expect(first.email == device.email)
      #expect(first.state == "state")
      #expect(first.realUserStatus == .likelyReal)
      #expect(first.identityToken != nil)
      #expect(first.authorizationCode != nil)
      let second = try await AppleSheet().authorize(request)
      #expect(second.user == first.user)
      #expect(second.fullName == nil)
    }

    @Test func `closing Apple's sheet is cancelled, and its failure is told`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.decision = .cancels
      await #expect(throws: DeviceFault.cancelled) { try await AppleSheet().authorize(request) }
      SimulatedDevice.current.decision = .agrees
      SimulatedDevice.current.sheetFault = .failed
      await #expect(throws: DeviceFault.failed(detail: "ASAuthorizationError 1004")) {
        try await AppleSheet().authorize(request)
      }
    }

    @Test func `a second sheet is refused, and a cancelled task takes the first away`()
      async throws
    {
      _ = try await Device.unpacked()
      SimulatedDevice.current.decision = .waits
      let request = request
      let first = Task { @MainActor () async throws(DeviceFault) in
        try await AppleSheet().authorize(request)
      }
      // The main actor is ours until the first one waits for its sheet.
      await Task.yield()
      try await eventually {
        do {
          SimulatedDevice.current.decision = .cancels
          defer { SimulatedDevice.current.decision = .waits }
          _ = try await AppleSheet().authorize(request)
          return false
        } catch DeviceFault.busy { return true } catch { return false }
      }
      first.cancel()
      await #expect(throws: DeviceFault.cancelled) { try await first.value }
      SimulatedDevice.current.decision = .agrees
      _ = try await AppleSheet().authorize(request)
    }

    @Test func `without a window there is no sheet`() async throws {
      _ = try await Device.unpacked()
      UIApplication.shared.simulateBackground()
      let fault = DeviceFault.unavailable(detail: "There is no window to show Apple's sheet over")
      await #expect(throws: fault) { try await AppleSheet().authorize(request) }
    }

    @Test func `a saved password is offered beside Apple's account`() async throws {
      _ = try await Device.unpacked()
      await #expect(throws: DeviceFault.unavailable(detail: "ASAuthorizationError 1000")) {
        try await AppleSheet().offer(nil)
      }
      SimulatedDevice.current.savedPassword = .init(user: "zoe@example.com", password: "made-up")
      #expect(
        try await AppleSheet().offer(nil)
          == .password(user: "zoe@example.com", password: "made-up"))
      guard case .apple = try await AppleSheet().offer(request) else {
        Issue.record("The person prefers Apple's account")
        return
      }
    }

    @Test func `Apple's credential state`() async throws {
      let device = try await Device.unpacked()
      let user = try await AppleSheet().authorize(request).user
      #expect(try await AppleSheet().credentialState(forUserID: user) == .authorized)
      try await device.withdraw("apple", "com.example.app")
      #expect(try await AppleSheet().credentialState(forUserID: user) == .revoked)
      #expect(try await AppleSheet().credentialState(forUserID: "nobody") == .notFound)
      SimulatedDevice.current.isOffline = true
      await #expect(throws: DeviceFault.self) {
        try await AppleSheet().credentialState(forUserID: user)
      }
    }

    @Test func `Google's sheet, its credential state, and the end of both`() async throws {
      let device = try await Device.unpacked()
      let google = GoogleSheet { UIViewController() }
      let answer = try await google.signIn(GoogleSignInRequest(nonce: "n"))
      let user = try #require(answer.user)
      #expect(answer.idToken != nil && answer.accessToken != nil)
      #expect(try await google.credentialState(forUserID: user) == .authorized)
      #expect(try await google.credentialState(forUserID: "another") == .notFound)
      await #expect(throws: DeviceFault.unavailable(detail: "The device has another Google account"))
      { try await google.disconnect(userID: "another") }

      // What is kept is good for an hour, whatever Google thinks of it.
      try await device.withdraw("google", SimulatedDevice.current.googleClientID)
      GIDSignIn.sharedInstance.simulateRelaunch()
      #expect(try await google.credentialState(forUserID: user) == .authorized)
      SimulatedDevice.current.secondsAhead = 3600
      GIDSignIn.sharedInstance.simulateRelaunch()
      #expect(try await google.credentialState(forUserID: user) == .revoked)
      #expect(try await google.credentialState(forUserID: user) == .notFound)
    }

    @Test func `disconnecting Google, offline and on`() async throws {
      _ = try await Device.unpacked()
      let google = GoogleSheet { UIViewController() }
      await #expect(
        throws: DeviceFault.unavailable(detail: "The device has nobody's Google account")
      ) { try await google.disconnect(userID: "u") }
      let user = try #require(try await google.signIn(GoogleSignInRequest()).user)
      SimulatedDevice.current.isOffline = true
      await #expect(throws: DeviceFault.offline(detail: "org.openid.appauth.general -5")) {
        try await google.disconnect(userID: user)
      }
      SimulatedDevice.current.isOffline = false
      try await google.disconnect(userID: user)
      #expect(try await google.credentialState(forUserID: user) == .notFound)
      SimulatedDevice.current.decision = .cancels
      await #expect(throws: DeviceFault.cancelled) {
        try await google.signIn(GoogleSignInRequest())
      }
    }
  }
}
