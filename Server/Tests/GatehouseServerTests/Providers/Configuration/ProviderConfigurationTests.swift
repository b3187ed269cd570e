import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct ProviderConfigurationTests {
  @Test func `the audiences are the client ids and Apple's bundle ids, each once`() {
    var provider = ProviderConfiguration(
      id: .apple, clientID: "com.example.web", trustEmail: .always)
    provider.additionalClientIDs = ["com.example.web", "com.example.other", ""]
    provider.apple = .init(bundleIDs: ["com.example.app", "com.example.other"])
    #expect(provider.audiences == ["com.example.web", "com.example.other", "com.example.app"])
  }

  @Test func `a provider without a client id accepts no audience`() {
    #expect(ProviderConfiguration(id: .google, clientID: "", trustEmail: .never).audiences.isEmpty)
  }

  @Test func `the tokens of an OpenID Connect provider have the configured issuer`() throws {
    let id = try #require(ProviderID("oidc.example"))
    var provider = ProviderConfiguration(id: id, clientID: "a", trustEmail: .never)
    #expect(provider.tokenIssuer == nil)
    provider.issuer = "https://Login.example.com/common/v2.0"
    #expect(provider.tokenIssuer == "https://Login.example.com/common/v2.0")
  }

  @Test func `no issuer is known of a provider whose issuers are fixed`() {
    var provider = ProviderConfiguration(id: .google, clientID: "a", trustEmail: .never)
    provider.issuer = "https://login.example.com"
    #expect(provider.tokenIssuer == nil)
  }

  @Test func `a new provider is disabled`() {
    #expect(!ProviderConfiguration(id: .google, clientID: "a", trustEmail: .never).isEnabled)
  }

  @Test func `an address counts only if it is verified and trusted`() throws {
    let address = try #require(EmailAddress("ann@example.com"))
    for (isVerified, isTrusted) in [(true, true), (true, false), (false, true), (false, false)] {
      let email = AssertedEmail(address: address, isVerified: isVerified, isTrusted: isTrusted)
      #expect(email.isVerifiedAndTrusted == (isVerified && isTrusted))
    }
  }
}
