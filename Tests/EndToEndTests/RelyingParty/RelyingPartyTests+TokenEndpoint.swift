import Testing

extension RelyingPartyTests {
  /// The client is registered for one method, which discovery says; another is refused there.
  private func party(_ method: String, offered: [String]) async throws -> RelyingParty {
    try await RelyingParty.make(
      faults: [
        "setDiscovery": [
          "token_endpoint_auth_methods_supported": .array(offered.map(JSON.string))
        ]
      ],
      client: ["token_endpoint_auth_method": .string(method)])
  }

  private static let refused =
    "400 INVALID_IDP_RESPONSE : The provider refused the request: 401 invalid_client"

  @Test func `rp-token_endpoint-client_secret_basic`() async throws {
    let method = "client_secret_basic"
    #expect(try await party(method, offered: [method]).signIn().verdict == "200")
    // Where both are offered, too; and where nothing is said, it is the default.
    #expect(
      try await party(method, offered: ["client_secret_post", method]).signIn().verdict == "200")
    let silent = try await RelyingParty.make(
      faults: ["omitDiscovery": ["token_endpoint_auth_methods_supported"]],
      client: ["token_endpoint_auth_method": .string(method)])
    #expect(try await silent.signIn().verdict == "200")
  }

  @Test func `rp-token_endpoint-client_secret_post`() async throws {
    let method = "client_secret_post"
    #expect(try await party(method, offered: [method]).signIn().verdict == "200")
    #expect(
      try await party(method, offered: ["client_secret_basic"]).signIn().verdict == Self.refused)
  }
}
