import AuthenticationServices
import FirebaseAuth
import Foundation
import SimulatedDevice
import Testing

@testable import OpenIDConnect

extension Guides {
  /// Firebase's guide “Authenticate Using OpenID Connect on Apple platforms”.
  @Suite @MainActor struct OpenIDConnectTests {
    /// An ID token of an OpenID Connect flow that is already complete.
    private func idToken(_ device: Device) async throws -> String {
      let reply = try await HTTP.post(
        "\(device.server.simulatorURL)/oidc/native-sign-in",
        ["client_id": "gatehouse-demo", "person": .string(device.person)])
      return try #require(reply.json["idToken"].string)
    }

    private func credential(_ device: Device) async throws -> AuthCredential {
      OAuthProvider.credential(
        withProviderID: "oidc.example-provider", idToken: try await idToken(device), rawNonce: nil)
    }

    @Test func `the app signs in with its own ID token, without a nonce`() async throws {
      let device = try await Device.unpacked()
      let token = try await idToken(device)
      let result: AuthDataResult = try await outcome {
        OpenIDConnectSignIn().signIn(idToken: token, done: $0)
      }
      #expect(result.user.providerData.map(\.providerID) == ["oidc.example-provider"])
      let data = OpenIDConnectSignIn.ProviderData(result)
      #expect(data.profile?["sub"] as? String == result.user.providerData.first?.uid)
      #expect(data.idToken == token)
    }

    @Test func `an unregistered provider is refused`() async throws {
      let device = try await Device.unpacked()
      let credential = OAuthProvider.credential(
        withProviderID: "oidc.nobody", idToken: try await idToken(device), rawNonce: nil)
      do {
        try await Auth.auth().signIn(with: credential)
        Issue.record("It was accepted.")
      } catch let error as NSError {
        #expect(error.code == AuthErrorCode.operationNotAllowed.rawValue)
      }
    }

    @Test func `the provider is linked, and re-authenticates`() async throws {
      let device = try await Device.unpacked()
      let uid = try await Auth.auth().signInAnonymously().user.uid
      let first = try await credential(device)
      let linked: AuthDataResult = try await outcome {
        OpenIDConnectSignIn().link(first, done: $0)
      }
      #expect(linked.user.uid == uid)
      #expect(!linked.user.isAnonymous)
      #expect(linked.user.providerData.map(\.providerID) == ["oidc.example-provider"])

      let second = try await credential(device)
      let verified: AuthDataResult = try await outcome {
        OpenIDConnectSignIn().reauthenticate(second, done: $0)
      }
      #expect(verified.user.uid == uid)
      OpenIDConnectSignIn().signOut()
      #expect(Auth.auth().currentUser == nil)
    }

    @Test func `a reserved parameter is refused before a browser opens`() async throws {
      _ = try await Device.unpacked()
      let signIn = OpenIDConnectSignIn()
      signIn.provider.customParameters = ["redirect_uri": "https://other.example.com"]
      let before = SimulatorCall.count
      await #expect(throws: (any Error).self) {
        let _: AuthDataResult = try await outcome { signIn.signIn(done: $0) }
      }
      #expect(SimulatorCall.count == before)
    }

    @Test func `the whole flow, in the device's browser`() async throws {
      let device = try await Device.unpacked()
      let signIn = OpenIDConnectSignIn()
      signIn.configureProvider()
      let result: AuthDataResult = try await outcome { signIn.signIn(done: $0) }
      #expect(result.user.providerData.map(\.providerID) == ["oidc.example-provider"])
      #expect(result.user.providerData.first?.email == device.email)
      let data = OpenIDConnectSignIn.ProviderData(result)
      #expect(data.accessToken != nil)
      #expect(data.idToken != nil)
      #expect(data.profile?["email"] as? String == device.email)
    }

    @Test func `closing the browser has its own error`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.isOffline = true
      do {
        let _: AuthDataResult = try await outcome { OpenIDConnectSignIn().signIn(done: $0) }
        Issue.record("It signed in.")
      } catch let error as NSError {
        #expect(error.code == AuthErrorCode.webContextCancelled.rawValue)
      }
    }
  }
}
