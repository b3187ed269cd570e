import Testing

/// The account to which a sign-in with an identity leads.
@Suite(.developmentServer)
struct LinkingTests {
  @Test func `an unverified password account is taken over by Apple's email`() async throws {
    let server = try suiteServer()
    let email = Unique.email("hijack")
    let attacker = try await server.app.signUp(email, "the attacker's password")
    let attackersRefreshToken = try #require(attacker.json["refreshToken"].string)
    let uid = try #require(attacker.json["localId"].string)
    _ = try await server.administrator.call(
      .post, "accounts:update",
      ["localId": .string(uid), "customAttributes": #"{"role":"admin"}"#])

    let person = try await server.providers.person(email: email)
    let owner = try await server.app.signIn(try await server.providers.apple(person).credential)
    #expect(owner.verdict == "200")
    #expect(owner.json["localId"].string == uid)
    #expect(owner.json["emailVerified"] == true)
    #expect(
      try await server.app.signIn(email, "the attacker's password").verdict
        == "400 INVALID_PASSWORD")
    #expect(try await server.app.refresh(attackersRefreshToken).verdict == "400 TOKEN_EXPIRED")
    #expect(
      try await server.app.lookup(try #require(attacker.json["idToken"].string)).verdict
        == "400 TOKEN_EXPIRED")
    let account = try await server.administrator.account(uid)
    // The takeover keeps the custom claims, because only an administrator can set them.
    #expect(account["customAttributes"].string == #"{"role":"admin"}"#)
    #expect(
      account["providerUserInfo"].array.compactMap { $0["providerId"].string } == ["apple.com"])
  }

  @Test func `an untrusted provider's account is taken over, and never takes over`()
    async throws
  {
    let server = try suiteServer()
    let email = Unique.email("untrusted")
    let attacker = try await server.providers.person(email: email)
    let first = try await server.app.signIn(try await server.providers.openID(attacker))
    #expect(first.json["emailVerified"].bool != true)
    let uid = try #require(first.json["localId"].string)

    let owner = try await server.providers.person(email: email)
    let apple = try await server.app.signIn(try await server.providers.apple(owner).credential)
    #expect(apple.json["localId"].string == uid)
    #expect(
      try await server.app.refresh(try #require(first.json["refreshToken"].string)).verdict
        == "400 TOKEN_EXPIRED")

    // The takeover removed the other identity: it can't sign in to this account any more.
    let back = try await server.app.signIn(try await server.providers.openID(attacker))
    #expect(back.json["needConfirmation"] == true)
    #expect(back.json["verifiedProvider"] == ["apple.com"])
    #expect(back.json["idToken"].isNull)
    #expect(back.json["refreshToken"].isNull)
  }

  @Test func `an email from an untrusted provider doesn't link`() async throws {
    let server = try suiteServer()
    let email = Unique.email("confirm")
    let person = try await server.providers.person(email: email)
    let apple = try await server.app.signIn(try await server.providers.apple(person).credential)
    let uid = try #require(apple.json["localId"].string)
    let before = try await server.administrator.account(uid)

    let stranger = try await server.providers.person(email: email)
    let asked = try await server.app.signIn(try await server.providers.openID(stranger))
    #expect(asked.verdict == "200")
    #expect(asked.json["needConfirmation"] == true)
    #expect(asked.json["idToken"].isNull)
    let after = try await server.administrator.account(uid)
    #expect(after["providerUserInfo"] == before["providerUserInfo"])

    // With a session of the account, its user may link it: the pending token replaces the
    // credential.
    let pending = try #require(asked.json["pendingToken"].string)
    let linked = try await server.app.call(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "pendingToken": .string(pending),
        "idToken": apple.json["idToken"], "returnSecureToken": true,
      ])
    #expect(linked.verdict == "200")
    #expect(linked.json["localId"].string == uid)
  }

  @Test func `a trusted provider's verified email joins the account that verified it`()
    async throws
  {
    let server = try suiteServer()
    let person = try await server.providers.person(email: Unique.email("join"))
    let apple = try await server.app.signIn(try await server.providers.apple(person).credential)
    let google = try await server.app.signIn(try await server.providers.google(person))
    #expect(google.json["localId"] == apple.json["localId"])
    let refreshToken = try #require(apple.json["refreshToken"].string)
    #expect(try await server.app.refresh(refreshToken).verdict == "200")
  }

  @Test func `a recycled email with a new subject gives no access to the account`() async throws {
    let server = try suiteServer()
    let email = Unique.email("recycled")
    let old = try await server.providers.person(email: email)
    let first = try await server.app.signIn(try await server.providers.google(old))
    let uid = try #require(first.json["localId"].string)
    let before = try await server.administrator.account(uid)

    let new = try await server.providers.person(email: email)
    let second = try await server.app.signIn(try await server.providers.google(new))
    #expect(second.verdict == "200")
    #expect(second.json["emailRecycled"] == true)
    #expect(second.json["needConfirmation"] == true)
    #expect(second.json["idToken"].isNull)
    let after = try await server.administrator.account(uid)
    #expect(after["providerUserInfo"] == before["providerUserInfo"])
  }

  @Test func `an identity of another account isn't linked`() async throws {
    let server = try suiteServer()
    let owner = try await server.providers.person()
    _ = try await server.app.signIn(try await server.providers.google(owner))
    let other = try await server.app.signUp(Unique.email("other"), "a long password")
    let idToken = try #require(other.json["idToken"].string)
    let refused = try await server.app.signInWithIdp(
      postBody: try await server.providers.google(owner).postBody, idToken: idToken)
    #expect(refused.verdict == "400 FEDERATED_USER_ID_ALREADY_LINKED")

    // With returnIdpCredential the client receives a pending token for the other account, and no
    // session.
    let told = try await server.app.signInWithIdp(
      postBody: try await server.providers.google(owner).postBody, idToken: idToken,
      returnIdpCredential: true)
    #expect(told.status == 200)
    #expect(told.json["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
    #expect(told.json["idToken"].isNull)
    #expect(told.json["pendingToken"].string?.isEmpty == false)
  }

  @Test func `re-authenticating as an unknown user creates no account`() async throws {
    let server = try suiteServer()
    let credential = try await server.providers.google(try await server.providers.person())
    #expect(
      try await server.app.signInWithIdp(postBody: credential.postBody, autoCreate: false).verdict
        == "400 USER_NOT_FOUND")
  }

  @Test func `re-authenticating as another user returns that user's account`() async throws {
    let server = try suiteServer()
    let mine = try await server.app.signIn(
      try await server.providers.google(try await server.providers.person()))
    let other = try await server.providers.person()
    let others = try await server.app.signIn(try await server.providers.google(other))
    let again = try await server.app.signInWithIdp(
      postBody: try await server.providers.google(other).postBody, autoCreate: false)
    // The SDK compares the accounts. The response contains the credential's account, never the
    // caller's.
    #expect(again.json["localId"] == others.json["localId"])
    #expect(again.json["localId"] != mine.json["localId"])
  }

  @Test func `two unlinks at once leave a consistent account`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    let session = try await server.app.signIn(try await server.providers.apple(person).credential)
    _ = try await server.app.signIn(try await server.providers.google(person))
    let idToken = session.json["idToken"]
    async let one = server.app.call(
      "update", ["idToken": idToken, "deleteProvider": ["apple.com"]])
    async let two = server.app.call(
      "update", ["idToken": idToken, "deleteProvider": ["google.com"]])
    let verdicts = try await [one.verdict, two.verdict]
    #expect(verdicts == ["200", "200"])
    let account = try await server.administrator.account(
      try #require(session.json["localId"].string))
    #expect(account["providerUserInfo"].array.isEmpty)
  }
}
