import Testing

@Suite struct MicrosoftAccountTests {
  @Test func `an administrator can set any text as the email`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons",
        json: """
          {"id":"mallory","email":"mallory@example.com","microsoft":{
           "tenant":"\(Tenant.second)","email":"alice@example.com",
           "preferredUsername":"mallory@rival.example"}}
          """)
      let claims = try await client.microsoftIDToken(#""person":"mallory""#).claims
      #expect(claims.string("email") == "alice@example.com")
      #expect(claims.string("preferred_username") == "mallory@rival.example")
      #expect(claims.string("tid") == Tenant.second)
      #expect(!claims.names.contains("email_verified"))
    }
  }

  @Test func `an account can have no email`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons", json: #"{"id":"carol","microsoft":{"email":""}}"#)
      let claims = try await client.microsoftIDToken(#""person":"carol""#).claims
      #expect(!claims.names.contains("email"))
      #expect(claims.string("name") == "carol")
    }
  }

  @Test(arguments: [
    (#"{"tenant":"example.com"}"#, "\"microsoft.tenant\" must be a GUID or consumers"),
    (#"{"email":5}"#, "The member \"microsoft.email\" has the wrong type."),
    (
      #"{"oid":"x"}"#,
      "Unknown member \"oid\". Known: email, emailDomainVerified, preferredUsername, tenant."
    ),
  ])
  func `an invalid account is refused`(account: String, message: String) async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/simulator/persons", json: "{\"id\":\"carol\",\"microsoft\":\(account)}")
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
      #expect(reply.errorDescription == message)
    }
  }

  @Test func `a person without a tenant has an account at work and one at home`() async throws {
    try await withSimulator { client in
      let person = try await client.get("/simulator/persons/alice").json
      #expect(
        person.objects("microsoftAccounts").map { $0.string("tenant") } == [
          Tenant.first, Tenant.personal,
        ])
      _ = try await client.post(
        "/simulator/persons", json: #"{"id":"carol","microsoft":{"tenant":"consumers"}}"#)
      let carol = try await client.get("/simulator/persons/carol").json
      #expect(carol.objects("microsoftAccounts").map { $0.string("tenant") } == [Tenant.personal])
    }
  }
}
