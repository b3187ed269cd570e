import Testing

/// Attacks by linking and unlinking.
@Suite(.developmentServer)
struct LinkAttackTests {
  @Test func `a pending token of one identity never links another`() async throws {
    let server = try suiteServer()
    let mine = try await server.app.signUp(Unique.email("mine"), "a long password")
    let (x, y) = (try await server.providers.person(), try await server.providers.person())
    let asked = try await server.ask(try await server.providers.google(x))
    let proof = try #require(asked.json["pendingToken"].string)
    let other = try await server.providers.google(y)

    // Beside another identity's token, the pending token still links only its own identity.
    let linked = try await server.app.call(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "pendingToken": .string(proof),
        "postBody": .string(other.postBody), "idToken": mine.json["idToken"],
        "returnSecureToken": true,
      ])
    #expect(linked.verdict == "200")
    #expect(linked.json["federatedId"] == asked.json["federatedId"])
    let stranger = try await server.app.signIn(other)
    #expect(stranger.json["isNewUser"] == true)
    #expect(stranger.json["localId"] != mine.json["localId"])
  }

  @Test func `a pending token that was altered, or of an unlinked identity, fails`() async throws {
    let server = try suiteServer()
    let mine = try await server.app.signUp(Unique.email("mine"), "a long password")
    let person = try await server.providers.person()
    let session = try await server.app.signIn(try await server.providers.google(person))
    let proof = try #require(session.json["pendingToken"].string)
    let idToken = try #require(mine.json["idToken"].string)

    var altered = Array(proof)
    altered[altered.count / 2] = altered[altered.count / 2] == "A" ? "B" : "A"
    #expect(
      try await server.link(String(altered), to: idToken).verdict == "400 INVALID_PENDING_TOKEN")
    #expect(
      try await server.link(proof, to: idToken).verdict == "400 FEDERATED_USER_ID_ALREADY_LINKED")
    let unlinked = try await server.app.call(
      "update", ["idToken": session.json["idToken"], "deleteProvider": ["google.com"]])
    #expect(unlinked.verdict == "200")
    #expect(try await server.link(proof, to: idToken).verdict == "400 INVALID_PENDING_TOKEN")
  }

  @Test func `a conflict reveals nothing about the account with the identity`() async throws {
    let server = try suiteServer()
    let email = Unique.email("secret")
    let owner = try await server.app.signUp(email, "a long password")
    let uid = try #require(owner.json["localId"].string)
    let person = try await server.providers.person()
    let owned = try await server.app.signInWithIdp(
      postBody: try await server.providers.google(person).postBody,
      idToken: owner.json["idToken"].string)
    #expect(owned.verdict == "200")

    let other = try await server.app.signUp(Unique.email("other"), "a long password")
    let told = try await server.app.signInWithIdp(
      postBody: try await server.providers.google(person).postBody,
      idToken: other.json["idToken"].string, returnIdpCredential: true)
    #expect(told.json["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
    #expect(told.json["localId"].isNull)
    #expect(told.json["verifiedProvider"].isNull)
    #expect(!told.text.contains(email))
    #expect(!told.text.contains(uid))
  }

  @Test func `concurrent unlinks leave a credential if the project requires one`() async throws {
    try await Production.with { production, server, administrator in
      let set = try await production.command(
        "projects", "set", "my-app", "allowsUnlinkingLast=false")
      #expect(set.status == 0, "\(set.errors)")
      var app = server.app
      app.apiKey = production.apiKey
      let refusal =
        "400 OPERATION_NOT_ALLOWED : The last way to sign in can't be removed from an account."
      // The server has loaded the policy once it rejects this.
      let isRefused = try await Deadline.wait { [app] in
        let probe = try await app.signUp(Unique.email("probe"), "a long password")
        return try await app.call(
          "update", ["idToken": probe.json["idToken"], "deleteProvider": ["password"]]
        ).verdict == refusal
      }
      #expect(isRefused)

      let session = try await app.signUp(Unique.email("two"), "a long password")
      let uid = try #require(session.json["localId"].string)
      let added = try await administrator.call(
        .post, "accounts:update", ["localId": .string(uid), "phoneNumber": "+15555550100"])
      #expect(added.verdict == "200")
      let idToken = session.json["idToken"]
      async let one = app.call("update", ["idToken": idToken, "deleteProvider": ["password"]])
      async let two = app.call("update", ["idToken": idToken, "deleteProvider": ["phone"]])
      let verdicts = try await [one.verdict, two.verdict]
      #expect(verdicts.sorted() == ["200", refusal])
      #expect(try await administrator.account(uid)["providerUserInfo"].array.count == 1)
    }
  }

  @Test func `a recycled email's pending token gives no access to the old account`()
    async throws
  {
    let server = try suiteServer()
    let email = Unique.email("recycled")
    let old = try await server.app.signIn(
      try await server.providers.google(try await server.providers.person(email: email)))
    let new = try await server.app.signIn(
      try await server.providers.google(try await server.providers.person(email: email)))
    #expect(new.json["emailRecycled"] == true)
    let again = try await server.app.call(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "pendingToken": new.json["pendingToken"],
        "returnSecureToken": true,
      ])
    #expect(again.json["emailRecycled"] == true)
    #expect(again.json["idToken"].isNull)
    // Even the account's own user can't add a second subject of that provider.
    let idToken = try #require(old.json["idToken"].string)
    #expect(
      try await server.link(try #require(new.json["pendingToken"].string), to: idToken).verdict
        == "400 PROVIDER_ALREADY_LINKED")
  }
}

extension GatehouseServer {
  fileprivate func ask(_ credential: Credential) async throws -> Reply {
    try await app.call(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "postBody": .string(credential.postBody),
        "returnSecureToken": true, "ifNew": "ask",
      ])
  }

  fileprivate func link(_ pendingToken: String, to idToken: String) async throws -> Reply {
    try await app.call(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "pendingToken": .string(pendingToken),
        "idToken": .string(idToken), "returnSecureToken": true,
      ])
  }
}
