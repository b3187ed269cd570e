import GatehouseSimulator
import HTTPTypes
import Testing

@Suite struct PersonTests {
  @Test func `alice and bob exist at the start`() async throws {
    try await withSimulator { client in
      let persons = try await client.get("/simulator/persons").json.objects("persons")
      #expect(persons.map { $0.string("id") } == ["alice", "bob"])
    }
  }

  @Test func `one call creates a person, and returns the ids at the providers`() async throws {
    try await withSimulator { client in
      let made = try await client.post("/simulator/persons", json: #"{"id":"carol"}"#)
      #expect(made.status == 201)
      #expect(made.json.string("email") == "carol@example.com")
      #expect(made.json.bool("emailVerified") == true)
      let signIn = try await client.appleSignIn(#""person":"carol","email":"hide""#)
      #expect(made.json.object("subjects")?.string("apple") == signIn.string("user"))
      #expect(made.json.string("appleRelayAddress") == signIn.string("email"))
      #expect(signIn.isNull("fullName"))
      let shown = try await client.get("/simulator/persons/carol")
      #expect(shown.body == made.body)
    }
  }

  @Test func `replacing a person keeps the ids at the providers`() async throws {
    try await withSimulator { client in
      let before = try await client.appleSignIn()
      let changed = try await client.post(
        "/simulator/persons", json: #"{"id":"alice","email":"new@example.com"}"#)
      #expect(changed.status == 200)
      let after = try await client.appleSignIn()
      #expect(after.string("user") == before.string("user"))
      let claims = try IDToken(after.string("identityToken")).claims
      #expect(claims.string("email") == "new@example.com")
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"id":""}"#, #"{"id":"a b"}"#, #"{"id":"a","email":"no address"}"#,
    #"{"id":"a","email":"@x"}"#, #"{"id":"a","realUserStatus":3}"#, #"{"id":"a","mail":"x@y"}"#,
    #"{"id":"a","emailVerified":"yes"}"#,
  ])
  func `an invalid person is refused`(body: String) async throws {
    try await withSimulator { client in
      let reply = try await client.post("/simulator/persons", json: body)
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
    }
  }

  @Test func `a deleted person's tokens end, and a new one has no consents`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let tokens = try await client.appleExchange(signIn.string("authorizationCode")).json
      #expect(try await client.send(.delete, "/simulator/persons/alice").status == 200)
      #expect(try await client.get("/simulator/persons/alice").error == "person_not_found")
      #expect(
        try await client.appleRefresh(tokens.string("refresh_token")).error == "invalid_grant")
      _ = try await client.post("/simulator/persons", json: #"{"id":"alice"}"#)
      #expect(
        try await client.appleRefresh(tokens.string("refresh_token")).error == "invalid_grant")
      let again = try await client.appleSignIn(#""person":"alice""#)
      #expect(again.string("email") == "alice@example.com")
    }
  }

  @Test func `the number of persons is limited`() async throws {
    try await withSimulator {
      $0.limits.persons = 2
    } _: { client in
      let reply = try await client.post("/simulator/persons", json: #"{"id":"carol"}"#)
      #expect(reply.status == 409)
      #expect(reply.error == "too_many_persons")
      let known = try await client.post("/simulator/persons", json: #"{"id":"bob"}"#)
      #expect(known.status == 200)
    }
  }

  @Test func `a consent that was never given can't be withdrawn`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: #"{"provider":"apple","client_id":"com.example.app"}"#)
      #expect(reply.status == 404)
      #expect(reply.error == "consent_not_found")
    }
  }

  @Test func `a reset restores the initial state and keeps the keys`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let tokens = try await client.appleExchange(signIn.string("authorizationCode")).json
      let keys = try await client.get("/apple/auth/keys").body
      _ = try await client.post("/simulator/persons", json: #"{"id":"carol"}"#)
      _ = try await client.put("/simulator/faults", json: #"{"apple":{"badSignature":true}}"#)
      #expect(try await client.send(.post, "/simulator/reset").status == 200)

      #expect(try await client.get("/simulator/persons/carol").error == "person_not_found")
      #expect(try await client.get("/simulator/faults").json.names == ["endpoints"])
      #expect(try await client.get("/simulator/requests").json.objects("last").isEmpty)
      #expect(
        try await client.appleRefresh(tokens.string("refresh_token")).error == "invalid_grant")
      #expect(try await client.get("/apple/auth/keys").body == keys)
      #expect(try await client.appleSignIn().object("fullName") != nil)
    }
  }
}
