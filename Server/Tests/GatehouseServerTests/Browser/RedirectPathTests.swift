import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RedirectPathTests {
  @Test(arguments: [
    ("apple.com", "/__/auth/handler"), ("google.com", "/__/auth/handler"),
    ("facebook.com", "/__/auth/handler"), ("oidc.corp", "/__/auth/handler/shop/oidc.corp"),
  ])
  func `each provider that an operator names has its own path`(
    _ provider: String, _ path: String
  ) throws {
    let project = try #require(ProjectID("shop"))
    #expect(RedirectPath(of: try #require(ProviderID(provider)), in: project).text == path)
  }
}
