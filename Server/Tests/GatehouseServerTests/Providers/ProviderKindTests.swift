import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProviderKindTests {
  private func trust(_ id: ProviderID, development: Bool = false) -> EmailTrust {
    ProviderConfiguration(new: id, development: development).trustEmail
  }

  @Test func `only Apple's and Google's addresses are trusted by default`() throws {
    #expect(trust(.apple) == .always)
    #expect(trust(.google) == .authoritative)
    #expect(trust(.google, development: true) == .always)
    let others = IdentityProviders.builtIn.compactMap(\.id).filter {
      $0 != .apple && $0 != .google
    }
    #expect(others.count >= 3)
    for id in others + [try #require(ProviderID("oidc.example"))] {
      #expect(trust(id) == .never)
      #expect(trust(id, development: true) == .never)
    }
  }

  @Test func `Apple's tokens need a nonce by default, but not in development`() {
    #expect(ProviderConfiguration(new: .apple, development: false).requiresNonce)
    #expect(!ProviderConfiguration(new: .apple, development: true).requiresNonce)
    #expect(!ProviderConfiguration(new: .google, development: false).requiresNonce)
  }

  @Test func `the names and ids of the kinds are unique`() {
    let kinds = IdentityProviders.kinds
    #expect(Set(kinds.map(\.name)).count == kinds.count)
    #expect(Set(kinds.map { $0.id?.text ?? "" }).count == kinds.count)
  }

  @Test func `the name of an unknown provider has no kind`() throws {
    #expect(IdentityProviders.kind(of: .password) == nil)
    #expect(IdentityProviders.kind(of: try #require(ProviderID("GitHub.com"))) == nil)
  }

  @Test func `a vendor's nonce rule applies if all issuers are the vendor's`() {
    let google = ["https://accounts.google.com", "accounts.google.com"]
    #expect(IdentityProviders.nonceRule(ofIssuers: google).acceptsOwnOfSDK)
    #expect(IdentityProviders.nonceRule(ofIssuers: google).acceptsUnhashed)
    let others = ["https://appleid.apple.com", "https://idp.example.com"]
    for issuer in others {
      #expect(!IdentityProviders.nonceRule(ofIssuers: [issuer]).acceptsOwnOfSDK)
      #expect(!IdentityProviders.nonceRule(ofIssuers: google + [issuer]).acceptsOwnOfSDK)
    }
  }

  @Test(arguments: IdentityProviders.builtIn.compactMap(\.id))
  func `a kind supports exactly the calls that it announces`(_ id: ProviderID) async throws {
    let provider = try Provider()
    var configuration = ProviderConfiguration(new: id, clientID: "1", development: false)
    configuration.clientSecret = Secret("secret")
    let subject = try #require(Subject("1"))
    let now = provider.now
    var grant: FederationError?
    do throws(FederationError) {
      try await provider.federation.revokeGrant(of: subject, for: configuration, now: now)
    } catch { grant = error }
    #expect((grant != .unsupportedProvider(id)) == id.traits.revokesGrantsBySubject)
    var notification: FederationError?
    do throws(FederationError) {
      _ = try await provider.federation.notification("a.b.c", for: configuration, now: now)
    } catch { notification = error }
    let form = IdentityProviders.kind(of: id)?.notifications
    #expect((notification != .unsupportedProvider(id)) == (form != nil))
  }
}
