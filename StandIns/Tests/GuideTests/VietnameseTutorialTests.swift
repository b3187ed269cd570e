import FirebaseAuth
import Testing
import UIKit

@testable import VietnameseTutorial

extension Guides {
  @Suite @MainActor struct VietnameseTutorialTests {
    @Test func `its button signs in with Apple`() async throws {
      let device = try await Device.unpacked()
      let screen = ViewController()
      UIApplication.shared.simulateLaunch(screen)
      let button = try #require(screen.view.subviews.first as? UIControl)
      button.sendActions(for: .touchUpInside)
      try await eventually { Auth.auth().currentUser != nil }
      #expect(Auth.auth().currentUser?.email == device.email)
      #expect(Auth.auth().currentUser?.providerData.map(\.providerID) == ["apple.com"])
    }

    @Test func `its nonce has the requested length or more`() {
      let screen = ViewController()
      let nonce = screen.randomNonceString()
      // It checks the length only after each sixteen bytes.
      #expect((32..<48).contains(nonce.count))
      #expect(nonce != screen.randomNonceString())
    }
  }
}
