import Foundation
import GatehouseClient
import GoogleSignIn
import SimulatedDevice
import Testing
import UIKit

extension Guides {
  /// Faults at the client's own sheets, with stand-ins for the system's classes.
  @Suite @MainActor struct SheetFaultTests {
    private let request = AppleAuthorizationRequest(nonce: Nonce().sha256, state: "state")

    @Test func `closing Apple's sheet cancels, and its failure is reported`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.decision = .cancels
      await #expect(throws: DeviceFault.cancelled) { try await AppleSheet().authorize(request) }
      SimulatedDevice.current.decision = .agrees
      SimulatedDevice.current.sheetFault = .failed
      await #expect(throws: DeviceFault.failed(detail: "ASAuthorizationError 1004")) {
        try await AppleSheet().authorize(request)
      }
    }

    @Test func `without a window there is no sheet`() async throws {
      _ = try await Device.unpacked()
      UIApplication.shared.simulateBackground()
      let fault = DeviceFault.unavailable(detail: "There is no window to show Apple's sheet over")
      await #expect(throws: fault) { try await AppleSheet().authorize(request) }
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
      await #expect(
        throws: DeviceFault.unavailable(detail: "The device has another Google account")
      ) { try await google.disconnect(userID: "another") }

      // The stored tokens are valid for an hour, even after a revocation at Google.
      try await device.withdraw("google", SimulatedDevice.current.googleClientID)
      GIDSignIn.sharedInstance.simulateRelaunch()
      #expect(try await google.credentialState(forUserID: user) == .authorized)
      SimulatedDevice.current.secondsAhead = 3600
      GIDSignIn.sharedInstance.simulateRelaunch()
      #expect(try await google.credentialState(forUserID: user) == .revoked)
      #expect(try await google.credentialState(forUserID: user) == .notFound)
    }

    @Test func `the article about Google has the code that these tests use`() throws {
      let tests = URL(filePath: #filePath).deletingLastPathComponent()
      let code = try String(
        contentsOf: tests.appending(path: "Harness/GoogleSheet+SDK.swift"), encoding: .utf8)
      let article = try String(
        contentsOf: tests.appending(
          path: "../../../Sources/GatehouseClient/GatehouseClient.docc/SigningInWithGoogle.md"),
        encoding: .utf8)
      #expect(article.contains(code))
    }

    @Test func `disconnecting Google fails offline and succeeds online`() async throws {
      _ = try await Device.unpacked()
      let google = GoogleSheet { UIViewController() }
      await #expect(
        throws: DeviceFault.unavailable(detail: "No Google account is signed in on the device")
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
