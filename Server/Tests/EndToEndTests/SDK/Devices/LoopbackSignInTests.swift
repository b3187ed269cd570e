import Foundation
@testable import GatehouseClient
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A sign-in in a browser that returns to a port of this machine, through the pages of the server
/// and of the simulator.
@Suite(.developmentServer)
struct LoopbackSignInTests {
  /// A browser without a display: it follows redirects and keeps cookies.
  private static let opener = BrowserOpener { url throws(DeviceFault) in
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    do {
      _ = try await session.data(from: url)
    } catch {
      throw .failed(detail: "\(error)")
    }
  }

  @Test(arguments: ["google.com", "oidc.simulator"])
  func `a browser returns to this machine, and a user is signed in`(_ provider: String)
    async throws
  {
    let device = try ClientDevice()
    let person = try await device.providers.person()
    let browser = BrowserSignIn(
      provider: Provider(provider), customParameters: ["login_hint": person])
    let credential = try await browser.credential(
      for: device.client, in: LoopbackPresenter(opener: Self.opener, timeout: 60))
    let result = try await device.client.signIn(with: .identityProvider(credential))
    #expect(result.isNewUser)
    #expect(result.snapshot.providers.map(\.provider.rawValue) == [provider])
    #expect(result.snapshot.providers.first?.email == "\(person)@example.com")
  }
}
