import Testing

/// The question whether a new user has an account already, and the consent before a user's
/// identities are linked.
@Suite(.developmentServer)
struct ConsentTests {
  @Test func `an app asks whether a new user has an account, and links to it`() async throws {
    let server = try suiteServer()
    let existing = try await server.app.signUp(Unique.email("existing"), "a long password")
    let uid = try #require(existing.json["localId"].string)
    let person = try await server.providers.person()
    let sheet = try await server.providers.apple(person, hidesEmail: true)

    let asked = try await server.app.ask(sheet.credential)
    #expect(asked.verdict == "200")
    #expect(asked.json["isNewUser"] == true)
    #expect(asked.json["idToken"].isNull)
    #expect(asked.json["localId"].isNull)
    let pending = try #require(asked.json["pendingToken"].string)

    let linked = try await server.app.goOn(pending, ["idToken": existing.json["idToken"]])
    #expect(linked.verdict == "200")
    #expect(linked.json["localId"].string == uid)
    let again = try await server.app.signIn(
      try await server.providers.apple(person, hidesEmail: true).credential)
    #expect(again.json["localId"].string == uid)
    #expect(again.json["isNewUser"].isNull)
  }

  @Test func `an app asks, and the user chooses a new account`() async throws {
    let server = try suiteServer()
    let credential = try await server.providers.google(try await server.providers.person())
    let asked = try await server.app.ask(credential)
    try #require(asked.verdict == "200")
    #expect(asked.json["isNewUser"] == true)
    // The first request used the provider's token up; the pending token replaces it.
    #expect(
      try await server.app.signIn(credential).verdict
        == "400 MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a "
        + "new credential.")
    let created = try await server.app.goOn(try #require(asked.json["pendingToken"].string))
    #expect(created.verdict == "200")
    #expect(created.json["isNewUser"] == true)
    let uid = try #require(created.json["localId"].string)
    #expect(try await server.administrator.account(uid)["localId"].string == uid)
  }

  @Test func `Google is linked to a private Apple identity only with consent`() async throws {
    try await GatehouseServer.with { server in
      try await server.requireConsent("anonymized")
      let person = try await server.providers.person()
      let apple = try await server.app.signIn(
        try await server.providers.apple(person, hidesEmail: true).credential)
      let uid = try #require(apple.json["localId"].string)
      let google = try await server.providers.google(person)
      let idToken = try #require(apple.json["idToken"].string)

      let refused = try await server.app.signInWithIdp(postBody: google.postBody, idToken: idToken)
      #expect(refused.verdict == "400 " + Self.required("apple.com, google.com"))
      #expect(
        refused.json["error"]["consentRequired"]["joins"] == ["apple.com", "google.com"])

      // A rejected request doesn't use the token up: with the same token the client receives a
      // pending token, which then links.
      let asked = try await server.app.signInWithIdp(
        postBody: google.postBody, idToken: idToken, returnIdpCredential: true)
      #expect(asked.status == 200)
      #expect(asked.json["errorMessage"].string == Self.required("apple.com, google.com"))
      let pending = try #require(asked.json["pendingToken"].string)
      let linked = try await server.app.goOn(
        pending,
        [
          "idToken": .string(idToken),
          "consent": ["version": "2026-11", "joins": ["apple.com", "google.com"]],
        ])
      #expect(linked.verdict == "200")
      #expect(linked.json["localId"].string == uid)

      let kept = try await server.administrator.account(uid)["consents"]
      #expect(kept.array.count == 1)
      #expect(kept[0]["version"] == "2026-11")
      #expect(kept[0]["joins"] == ["apple.com", "google.com"])
      #expect(kept[0]["givenAt"].string.flatMap { Int64($0) } ?? 0 > 1_700_000_000_000)
    }
  }

  @Test func `linking a private Apple identity or adding an email needs consent`() async throws {
    try await GatehouseServer.with { server in
      try await server.requireConsent("anonymized")
      let person = try await server.providers.person()
      let google = try await server.app.signIn(try await server.providers.google(person))
      let sheet = try await server.providers.apple(person, hidesEmail: true)
      let refused = try await server.app.signInWithIdp(
        postBody: sheet.credential.postBody, idToken: google.json["idToken"].string)
      #expect(refused.verdict == "400 " + Self.required("google.com, apple.com"))

      let apple = try await server.app.signIn(sheet.credential)
      #expect(apple.verdict == "200")
      #expect(apple.json["localId"] != google.json["localId"])
      let email = JSON.string(Unique.email("own"))
      let added = try await server.app.call(
        "update", ["idToken": apple.json["idToken"], "email": email])
      #expect(added.verdict == "400 " + Self.required("apple.com, email"))
      let password = try await server.app.call(
        "signUp",
        ["idToken": apple.json["idToken"], "email": email, "password": "a long password"])
      #expect(password.verdict == "400 " + Self.required("apple.com, email"))
      let agreed = try await server.app.call(
        "signUp",
        [
          "idToken": apple.json["idToken"], "email": email, "password": "a long password",
          "consent": ["version": "1", "joins": ["apple.com", "email"]],
        ])
      #expect(agreed.verdict == "200")
      #expect(agreed.json["localId"] == apple.json["localId"])
    }
  }

  @Test func `an Apple identity without a hidden email joins as usual`() async throws {
    try await GatehouseServer.with { server in
      try await server.requireConsent("anonymized")
      let person = try await server.providers.person(email: Unique.email("open"))
      let apple = try await server.app.signIn(
        try await server.providers.apple(person).credential)
      let google = try await server.app.signIn(try await server.providers.google(person))
      #expect(google.verdict == "200")
      #expect(google.json["localId"] == apple.json["localId"])
    }
  }

  private static func required(_ parts: String) -> String {
    "CONSENT_REQUIRED : The user has to consent before these are linked in one account: \(parts)."
  }
}

extension AppClient {
  fileprivate func ask(_ credential: Credential) async throws -> Reply {
    try await call(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "postBody": .string(credential.postBody),
        "returnSecureToken": true, "ifNew": "ask",
      ])
  }

  /// Continues with a pending token.
  fileprivate func goOn(_ pendingToken: String, _ more: [String: JSON] = [:]) async throws -> Reply
  {
    let body: [String: JSON] = [
      "requestUri": "http://localhost", "pendingToken": .string(pendingToken),
      "returnSecureToken": true,
    ]
    return try await call("signInWithIdp", .object(body.merging(more) { _, new in new }))
  }
}

extension GatehouseServer {
  fileprivate func requireConsent(_ policy: String) async throws {
    let set = try await administrator.call(
      .patch, "config", ["linkConsent": .string(policy)], version: "v2")
    try #require(set.verdict == "200")
  }
}
