import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct ConsentCheckTests {
  private func finding(
    _ policy: LinkConsent, _ provider: ProviderID = .apple, isEnabled: Bool = true
  ) throws -> Finding? {
    var policies = ProjectPolicies()
    policies.linkConsent = policy
    let project = Project(
      id: try #require(ProjectID("my-app")), number: 1, issuer: "https://auth.example.com/my-app",
      authorizedDomains: [], policies: policies)
    var configuration = ProviderConfiguration(id: provider, clientID: "c", trustEmail: .never)
    configuration.isEnabled = isEnabled
    return ConsentCheck.finding(for: project, providers: [configuration])
  }

  @Test func `a policy that is off gives a warning if Apple is enabled`() throws {
    let off = try #require(try finding(.off))
    #expect(verdict([off]) == "warning")
    guard case .warning(let remedy) = off.verdict else { return }
    #expect(remedy.contains("gatehouse projects set my-app linkConsent=anonymized"))
    #expect(verdict([try #require(try finding(.anonymized))]) == "ok")
    #expect(try finding(.off, .google) == nil)
    #expect(try finding(.off, isEnabled: false) == nil)
  }
}
