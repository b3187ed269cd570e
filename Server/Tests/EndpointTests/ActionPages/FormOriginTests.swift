import GatehouseProtocol
import HTTPTypes
import Testing

/// From which pages a form is accepted.
@Suite struct FormOriginTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let headers: [String: String]
    let isAccepted: Bool
    var testDescription: String { "\(headers.sorted { $0.key < $1.key })" }

    init(_ headers: [String: String], _ isAccepted: Bool) {
      (self.headers, self.isAccepted) = (headers, isAccepted)
    }
  }

  static let rows = [
    Row(["sec-fetch-site": "same-origin"], true),
    Row(["sec-fetch-site": "none"], true),
    Row(["sec-fetch-site": "same-origin", "origin": "https://auth.example.com"], true),
    // An app's own page on a subdomain isn't this server's.
    Row(["sec-fetch-site": "same-site"], false),
    Row(["sec-fetch-site": "cross-site"], false),
    Row(["sec-fetch-site": "cross-site", "origin": "https://auth.example.com"], false),
    Row(["sec-fetch-site": ""], false),
    Row(["sec-fetch-site": "Same-Origin"], false),
    // Browsers from before 2023.
    Row(["origin": "https://auth.example.com"], true),
    Row(["origin": "http://auth.example.com"], false),
    Row(["origin": "https://auth.example.com:8443"], false),
    Row(["origin": "https://auth.example.com.evil.example"], false),
    Row(["origin": "https://app.example.com"], false),
    Row(["origin": "https://evil.example"], false),
    Row(["origin": "null"], false),
    Row([:], false),
    // The link's own domain, from which a proxy passes the path on.
    Row(["origin": "https://app.example.com", "x-test-authority": "app.example.com"], true),
    Row(["origin": "https://evil.example", "x-test-authority": "evil.example"], false),
  ]

  @Test(arguments: rows) func `only a page of this server may post`(_ row: Row) async throws {
    try await ProductionLinks.with(.passwordReset) { server, reader in
      var other = reader
      other.headers = HTTPFields()
      for (name, value) in row.headers { other.headers[try #require(.init(name))] = value }
      let reply = try await other.press([("newPassword", "a new secret")])
      #expect(reply.status == (row.isAccepted ? 200 : 403))
      #expect(
        reply.heading
          == (row.isAccepted ? "The password is changed" : "This came from another site"))
      // A refused form has used nothing.
      let own = try await reader.press([("newPassword", "a new secret")])
      #expect(own.status == (row.isAccepted ? 400 : 200))
    }
  }

  @Test func `another site can't count wrong codes against its visitors`() async throws {
    try await ProductionLinks.with(.passwordReset) { server, reader in
      let forged = reader.with("oobCode", "made-up").with {
        $0.headers = [.fetchSite: "cross-site"]
        $0.peer = "192.0.2.1"
      }
      for _ in 0..<101 {
        let reply = try await forged.press()
        #expect(reply.status == 403)
      }
      let visited = try await reader.with { $0.peer = "192.0.2.1" }.open()
      #expect(visited.status == 200)
    }
  }

  @Test func `a path of the public URL is no part of the origin`() async throws {
    try await ProductionLinks.with(.passwordReset, publicURL: "https://example.com/auth") {
      server, reader in
      var old = reader
      old.headers = [.origin: "https://example.com"]
      let reply = try await old.press([("newPassword", "a new secret")])
      #expect(reply.status == 200)
    }
  }
}
