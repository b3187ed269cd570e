import GatehouseFederation
import GatehouseJSON
import GatehouseModel
import Testing

@Suite struct DiagnoseTests {
  @Test func `a provider in order has nothing but good findings`() async throws {
    let provider = try Provider()
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    #expect(findings.map(\.check) == ["audiences", "discovery", "keys"])
    #expect(findings.allSatisfy { $0.verdict == .ok })
  }

  @Test func `Apple is asked whether it takes the client secret`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken, status: 400, ["error": "invalid_grant"])
    let good = await provider.federation.diagnose(Provider.apple(), now: provider.now)
    #expect(good.map(\.check) == ["audiences", "keys", "client secret"])
    #expect(good.allSatisfy { $0.verdict == .ok })

    provider.transport.on(Provider.appleToken, status: 400, ["error": "invalid_client"])
    let bad = await provider.federation.diagnose(Provider.apple(), now: provider.now)
    guard case .failed = try #require(bad.last).verdict else {
      Issue.record("\(bad)")
      return
    }
  }

  @Test func `a missing setting is named in the remedy`() async throws {
    let provider = try Provider()
    var configuration = Provider.apple()
    configuration.apple?.keyID = nil
    let findings = await provider.federation.diagnose(configuration, now: provider.now)
    #expect(
      findings.last?.verdict
        == .failed(remedy: "Set appleSignInConfig.codeFlowConfig.keyId."))
  }

  @Test func `without Apple's key ID tokens sign in, and the remedy is the command`() async throws {
    let provider = try Provider()
    var configuration = Provider.apple()
    configuration.apple?.teamID = nil
    configuration.apple?.keyID = nil
    configuration.apple?.privateKey = nil
    let findings = await provider.federation.diagnose(configuration, now: provider.now)
    guard case .warning(let remedy) = try #require(findings.last).verdict else {
      Issue.record("\(findings)")
      return
    }
    #expect(remedy.contains("gatehouse providers set apple --team-id … --key-id … --key-file …"))
  }

  @Test func `another issuer in the discovery document is the remedy`() async throws {
    let provider = try Provider(discovery: ["issuer": "https://idp.example.com/"])
    let findings = await provider.federation.diagnose(provider.configuration, now: provider.now)
    #expect(findings.last?.check == "discovery")
    #expect(
      findings.last?.verdict
        == .failed(
          remedy: "Set the issuer to exactly https://idp.example.com/, if that is your provider."))
  }

  @Test func `a disabled provider without audiences shows both`() async throws {
    let provider = try Provider()
    let configuration = ProviderConfiguration(id: .google, clientID: "", trustEmail: .never)
    let findings = await provider.federation.diagnose(configuration, now: provider.now)
    #expect(findings.map(\.check) == ["audiences", "enabled", "keys"])
  }
}
