import Foundation
import GatehouseClient
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A sign-in in a browser that comes back to a port of this machine, through the server's own pages
/// and the simulator's.
@Suite(.developmentServer)
struct LoopbackSignInTests {
  /// A browser without eyes: follows redirects, keeps cookies.
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
  func `a browser comes back to this machine, and somebody is signed in`(_ provider: String)
    async throws
  {
    let device = try ClientDevice()
    let person = try await device.providers.person()
    let browser = BrowserSignIn(
      provider: Provider(provider), customParameters: ["login_hint": person])
    let credential = try await browser.credential(
      for: device.client, in: LoopbackPresenter(opener: Self.opener, timeout: .seconds(60)))
    let result = try await device.client.signIn(with: .identityProvider(credential))
    #expect(result.isNewUser)
    #expect(result.snapshot.providers.map(\.provider.rawValue) == [provider])
    #expect(result.snapshot.providers.first?.email == "\(person)@example.com")
  }
}
