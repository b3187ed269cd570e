import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct TokenAlgorithmCheckTests {
  private func finding(_ algorithm: TokenAlgorithm) throws -> Finding? {
    var policies = ProjectPolicies()
    policies.tokens.algorithm = algorithm
    return TokenAlgorithmCheck.finding(
      for: Project(
        id: try #require(ProjectID("my-app")), number: 1, issuer: "https://auth.example.com/my-app",
        authorizedDomains: [], policies: policies))
  }

  @Test func `a project that signs with ES256 is named, another isn't`() throws {
    #expect(try finding(.rs256) == nil)
    let found = try #require(try finding(.es256))
    #expect(found.check == "my-app tokens")
    #expect(found.detail.contains("Google's Admin SDKs accept only RS256"))
  }
}
