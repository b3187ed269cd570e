import GatehouseModel
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
