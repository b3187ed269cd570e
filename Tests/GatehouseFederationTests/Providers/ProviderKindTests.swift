import GatehouseFederation
import GatehouseModel
import Testing

@Suite struct ProviderKindTests {
  private func trust(_ id: ProviderID, development: Bool = false) -> EmailTrust {
    ProviderConfiguration(new: id, development: development).trustEmail
  }

  @Test func `only providers that run the mailbox are trusted by default`() throws {
    #expect(trust(.apple) == .always)
    #expect(trust(.google) == .authoritative)
    #expect(trust(.google, development: true) == .always)
    for id in [.facebook, .github, .microsoft, try #require(ProviderID("oidc.example"))] {
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
}
