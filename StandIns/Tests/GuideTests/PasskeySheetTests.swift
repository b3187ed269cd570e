import AuthenticationServices
import FirebaseAuth
import Foundation
import GatehouseClient
import SimulatedDevice
import Testing
import UIKit

extension Guides {
  /// Passkeys with the stand-in of the system's sheet, and a server that accepts everything.
  @Suite @MainActor struct PasskeySheetTests {
    private struct Server: Transport {
      func send(
        _ request: TransportRequest
      ) async throws(TransportFault) -> TransportResponse {
        let now = Int(Date().timeIntervalSince1970)
        let claims =
          #"{"sub":"alice","iat":\#(now),"exp":\#(now + 3600),"auth_time":\#(now),"#
          + #""firebase":{"sign_in_provider":"passkey"}}"#
        let payload = Data(claims.utf8).base64EncodedString()
          .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
          .replacingOccurrences(of: "=", with: "")
        let tokens = #""localId":"alice","idToken":"e30.\#(payload).c2ln","refreshToken":"r""#
        let body: String =
          switch request.url.lastPathComponent {
          case "passkeySignIn:start":
            #"{"credentialRequestOptions":{"rpId":"example.com","challenge":"Y2hhbGxlbmdl"}}"#
          case "passkeyEnrollment:start":
            #"{"credentialCreationOptions":{"rp":{"id":"example.com"},"user":{"id":"aGFuZGxl","#
              + #""name":"alice@example.com"},"challenge":"Y2hhbGxlbmdl"}}"#
          case "accounts:lookup":
            #"{"users":[{"localId":"alice","passkeyInfo":[{"name":"Phone","credentialId":"#
              + #""c2ltdWxhdGVkIHBhc3NrZXk=","userHandle":"aGFuZGxl"}]}]}"#
          default: "{\(tokens)}"
          }
        return TransportResponse(status: 200, headers: [:], body: Data(body.utf8))
      }
    }

    private func manager() throws -> AccountManager {
      var configuration = try ClientConfiguration(
        serverURL: try #require(URL(string: "https://auth.example.com")), apiKey: "key",
        projectID: "demo")
      configuration.refreshesProactively = false
      configuration.listensForChanges = false
      return AccountManager(
        client: AuthClient(
          configuration: configuration, store: MemoryStore(), transport: Server()),
        devices: AccountDevices(passkeys: PasskeySheet(window: { UIWindow() })))
    }

    @Test func `the system's sheet signs in, and creates a passkey`() async throws {
      SimulatedDevice.current.decision = .agrees
      let manager = try manager()
      let result = try #require(try await manager.signIn(with: .passkey).result)
      #expect(result.user.uid == "alice")
      #expect(try await manager.addPasskey(name: "Phone"))
      #expect(await manager.addPasskeyQuietly())
      let passkey = try #require(result.user.snapshot.passkeys.first)
      #expect(passkey.id == Data("simulated passkey".utf8).base64EncodedString())
      try await manager.removePasskey(passkey, relyingPartyID: "example.com")
      #expect(SimulatedDevice.acceptedPasskeys == [Data("simulated passkey".utf8)])
    }

    @Test func `one sheet creates an account, or leads to Sign in with Apple`() async throws {
      SimulatedDevice.current.decision = .agrees
      let manager = try manager()
      guard case .signedIn(let result, let email) = try await manager.signUpWithPasskey() else {
        Issue.record("No account was created.")
        return
      }
      #expect(result.isNewUser)
      #expect(email == "alice@example.com")
      SimulatedDevice.current.prefersAppleToPasskey = true
      defer { SimulatedDevice.current.prefersAppleToPasskey = false }
      guard case .prefersApple = try await manager.signUpWithPasskey() else {
        Issue.record("The user prefers Sign in with Apple.")
        return
      }
    }

    @Test func `a closed sheet is no error`() async throws {
      SimulatedDevice.current.decision = .cancels
      defer { SimulatedDevice.current.decision = .agrees }
      let manager = try manager()
      guard case .cancelled = try await manager.signIn(with: .passkey) else {
        Issue.record("The sheet was closed.")
        return
      }
    }
  }
}
