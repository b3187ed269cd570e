import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct PublicURLCheckTests {
  private struct Answers: OutboundTransport {
    let bodies: [String: String]

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
      for (suffix, body) in bodies where "\(request.url)".hasSuffix(suffix) {
        return OutboundResponse(status: 200, body: Array(body.utf8))
      }
      throw .notConnected(host: request.url.host)
    }
  }

  private static let issuer = "https://auth.example.com/my-app"
  private static let discovery = """
    {"issuer":"\(issuer)","jwks_uri":"\(issuer)/.well-known/jwks.json"}
    """

  private func check(
    discovery: String? = Self.discovery, keys: String = #"{"keys":[{"kid":"ours"}]}"#,
    publicURL: String = "https://auth.example.com"
  ) async throws -> String {
    let project = Project(
      id: try #require(ProjectID("my-app")), number: 1, issuer: Self.issuer,
      authorizedDomains: [], policies: ProjectPolicies())
    var bodies = ["jwks.json": keys]
    bodies["openid-configuration"] = discovery
    let check = PublicURLCheck(publicURL, transport: Answers(bodies: bodies))
    return verdict(await check.findings(for: project, keyID: "ours"))
  }

  @Test func `a document with our issuer and our key passes`() async throws {
    #expect(try await check() == "ok")
  }

  @Test func `other keys, another issuer and no response each fail`() async throws {
    #expect(try await check(keys: #"{"keys":[{"kid":"theirs"}]}"#) == "failed")
    #expect(try await check(discovery: "{}") == "failed")
    #expect(try await check(discovery: "<html>") == "failed")
    #expect(try await check(discovery: nil) == "failed")
    #expect(try await check(publicURL: "https://other.example.com") == "failed")
  }
}
