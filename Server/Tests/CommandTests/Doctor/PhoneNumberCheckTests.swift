import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct PhoneNumberCheckTests {
  private func verdicts(
    webhook: Bool = true, isDevelopment: Bool = false, _ change: (inout PhonePolicy) -> Void
  ) throws -> [String] {
    var policies = ProjectPolicies()
    policies.phone.isEnabled = true
    policies.phone.allowedPrefixes = ["+49"]
    change(&policies.phone)
    let project = Project(
      id: try #require(ProjectID("my-app")), number: 1, issuer: "https://auth.example.com/my-app",
      authorizedDomains: [], policies: policies)
    return PhoneNumberCheck.findings(
      of: project,
      webhook: webhook ? CodeWebhook(url: "https://sms.example.com", secret: .random()) : nil,
      isDevelopment: isDevelopment
    ).map { verdict([$0]) }
  }

  @Test func `settings that prevent messages fail, and risky ones give a warning`() throws {
    #expect(try verdicts { $0.isEnabled = false } == [])
    #expect(try verdicts { _ in } == ["ok"])
    #expect(try verdicts(webhook: false) { _ in } == ["failed"])
    #expect(try verdicts(webhook: false, isDevelopment: true) { _ in } == ["ok"])
    #expect(try verdicts { $0.allowedPrefixes = [] } == ["failed"])
    #expect(try verdicts { $0.allowedPrefixes = ["+"] } == ["warning"])
    #expect(try verdicts { $0.testNumbers = ["+15555550100": "123456"] } == ["warning"])
    #expect(
      try verdicts(webhook: false) {
        $0.allowedPrefixes = []
        $0.testNumbers = ["+15555550100": "123456"]
      } == ["warning", "warning"])
  }
}
