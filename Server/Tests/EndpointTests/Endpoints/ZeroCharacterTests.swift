import GatehouseProtocol
import Testing

/// PostgreSQL stores no text with the character U+0000: see `TextTests` of the stores.
@Suite struct ZeroCharacterTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let request: TestRequest
    let error: String
    var testDescription: String { "\(request.path) \(error)" }

    init(_ request: TestRequest, _ error: String) { (self.request, self.error) = (request, error) }
  }

  private static let refusal = "A text contains the character U+0000."
  private static let text: JSONValue = "a\u{0}b"

  static let rows: [Row] = [
    Row(
      .admin(
        .post, "v2/projects/demo/oauthIdpConfigs?oauthIdpConfigId=oidc.zero",
        ["clientId": text, "issuer": "https://id.example.com"]), refusal),
    Row(
      .admin(
        .post, "v2/projects/demo/oauthIdpConfigs?oauthIdpConfigId=oidc.zero",
        ["clientId": "c", "displayName": text, "issuer": "https://id.example.com"]), refusal),
    Row(.admin(.post, "v1/projects/a%00b/accounts", [:]), "Invalid project id."),
    Row(
      .admin(.post, "v1/projects/demo/accounts", ["phoneNumber": text]),
      "INVALID_PHONE_NUMBER : Invalid format."),
    Row(
      .admin(.get, "v1/projects/demo/accounts:batchGet?nextPageToken=a%00b"),
      "INVALID_PAGE_SELECTION"),
    Row(
      .accounts("signInWithPhoneNumber", ["sessionInfo": text, "code": "123456"]),
      "INVALID_SESSION_INFO"),
    Row(
      .accounts("resetPassword", ["oobCode": text, "newPassword": "secret1"]), "INVALID_OOB_CODE"),
    Row(.accounts("signUp", ["email": text, "password": "secret1"]), "INVALID_EMAIL"),
  ]

  @Test(arguments: rows) func `a text with it is refused`(_ row: Row) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(row.request)
      #expect(reply.status == 400)
      #expect(reply.error == row.error)
    }
  }

  @Test(arguments: ["localId", "email", "phoneNumber"])
  func `nobody is found by it`(_ member: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", .object([member: [Self.text]])))
      #expect(reply.status == 200)
      #expect(reply["users"] == nil)
    }
  }

  @Test(arguments: ["abc%00def", "abc%0Adef", "abc%7Fdef", "caf%C3%A9"])
  func `a key with a character that no key has is refused`(_ key: String) async throws {
    try await TestServer.with(.production) { server in
      let reply = try await server.call(
        .accounts("lookup", ["idToken": "x"]).with { $0.key = key })
      #expect(reply.status == 400)
      #expect(reply.error == "API key not valid. Please pass a valid API key.")
    }
  }
}
