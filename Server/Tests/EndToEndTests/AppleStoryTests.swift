import Testing

/// The life of an account in an app with Sign in with Apple, over HTTP.
@Suite(.developmentServer)
struct AppleStoryTests {
  @Test func `sign in, link, re-authenticate, refresh, revoke, delete`() async throws {
    let server = try suiteServer()
    let (app, providers) = (server.app, server.providers)
    let person = try await providers.person(givenName: "Ada")
    let sheet = try await providers.apple(person)

    let first = try await app.signIn(sheet.credential)
    try #require(first.verdict == "200")
    #expect(first.json["isNewUser"] == true)
    #expect(first.json["providerId"] == "apple.com")
    #expect(first.json["federatedId"].string == sheet.user)
    #expect(first.json["expiresIn"] == "3600")
    let uid = try #require(first.json["localId"].string)
    let idToken = try #require(first.json["idToken"].string)
    let claims = try #require(JWTParts(idToken)).claims
    #expect(claims["iss"] == "https://securetoken.google.com/demo")
    #expect(claims["aud"] == "demo")
    #expect(claims["sub"].string == uid)
    #expect(claims["firebase"]["sign_in_provider"] == "apple.com")
    #expect(claims["firebase"]["identities"]["apple.com"][0].string == sheet.user)

    // A second device: another session of the same account.
    let second = try await app.signIn(try await providers.apple(person).credential)
    #expect(second.json["localId"].string == uid)
    #expect(second.json["isNewUser"].isNull)
    let secondRefreshToken = try #require(second.json["refreshToken"].string)

    let google = try await providers.google(person)
    let linked = try await app.signInWithIdp(postBody: google.postBody, idToken: idToken)
    #expect(linked.verdict == "200")
    #expect(linked.json["localId"].string == uid)
    let shown = try await app.lookup(try #require(linked.json["idToken"].string))
    #expect(
      shown.json["users"][0]["providerUserInfo"].array.compactMap { $0["providerId"].string }
        .sorted() == ["apple.com", "google.com"])

    let again = try await app.signInWithIdp(
      postBody: try await providers.apple(person).credential.postBody, autoCreate: false)
    #expect(again.json["localId"].string == uid)
    let refreshed = try await app.refresh(try #require(again.json["refreshToken"].string))
    #expect(refreshed.json["user_id"].string == uid)
    #expect(refreshed.json["expires_in"] == "3600")
    #expect(refreshed.json["access_token"] == refreshed.json["id_token"])
    let fresh = try #require(refreshed.json["id_token"].string)

    #expect(try await providers.appleCredentialState(sheet.user) == "authorized")
    let code = try await providers.apple(person).authorizationCode
    let revoked = try await app.revokeAppleCode(code, idToken: fresh)
    #expect(revoked.verdict == "200")
    #expect(revoked.text == "{}")
    #expect(try await providers.appleCredentialState(sheet.user) == "revoked")

    let deleted = try await app.call("delete", ["idToken": .string(fresh)])
    #expect(deleted.verdict == "200")
    #expect(try await app.refresh(secondRefreshToken).verdict == "400 USER_NOT_FOUND")
    #expect(try await app.lookup(fresh).verdict == "400 USER_NOT_FOUND")
    #expect(try await server.administrator.account(uid).isNull)

    let reborn = try await app.signIn(try await providers.apple(person).credential)
    #expect(reborn.json["isNewUser"] == true)
    #expect(reborn.json["localId"].string != uid)
  }

  @Test func `a nonce other than the sheet's is refused`() async throws {
    let server = try suiteServer()
    var credential = try await server.providers.apple(try await server.providers.person())
      .credential
    let right = credential.nonce
    credential.nonce = Unique.nonce()
    let refused = try await server.app.signIn(credential)
    #expect(refused.status == 400)
    #expect(
      refused.message?.hasPrefix("MISSING_OR_INVALID_NONCE : The nonce in ID Token \"") == true)
    // A rejected request doesn't use the token up.
    credential.nonce = right
    #expect(try await server.app.signIn(credential).verdict == "200")
  }

  @Test func `a token with a nonce is refused if the request has none`() async throws {
    let server = try suiteServer()
    var credential = try await server.providers.apple(try await server.providers.person())
      .credential
    credential.nonce = nil
    #expect(
      try await server.app.signIn(credential).verdict
        == "400 MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
  }

  @Test func `a nonce in the request is refused if the token has none`() async throws {
    let server = try suiteServer()
    var credential = try await server.providers.apple(
      try await server.providers.person(), nonce: nil
    ).credential
    credential.nonce = Unique.nonce()
    #expect(
      try await server.app.signIn(credential).verdict
        == "400 MISSING_OR_INVALID_NONCE : Nonce is missing in the ID Token.")
    credential.nonce = nil
    #expect(try await server.app.signIn(credential).verdict == "200")
  }

  @Test func `a hash in place of the raw nonce is refused with a hint`() async throws {
    let server = try suiteServer()
    var credential = try await server.providers.apple(try await server.providers.person())
      .credential
    let hash = Nonce.hash(try #require(credential.nonce))
    credential.nonce = hash
    let refused = try await server.app.signIn(credential)
    #expect(refused.message?.hasPrefix("MISSING_OR_INVALID_NONCE : ") == true)
    #expect(refused.message?.contains("raw nonce") == true)
    #expect(refused.message?.contains("hash") == true)
  }

  @Test func `a credential that is presented twice is refused`() async throws {
    let server = try suiteServer()
    let credential = try await server.providers.apple(try await server.providers.person())
      .credential
    #expect(try await server.app.signIn(credential).verdict == "200")
    #expect(
      try await server.app.signIn(credential).verdict
        == "400 MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a "
        + "new credential.")
  }

  @Test func `a name in an unencoded body can't inject a parameter`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person(givenName: "Zoë")
    let credential = try await server.providers.apple(person, nonce: "N+o&n=ce%41").credential
    let name =
      #"{"name":{"firstName":"Zoë & Co}&providerId=google.com&access_token=x","#
      + #""lastName":"\"Müller\" <b>&id_token=y"}}"#
    let reply = try await server.app.signInWithIdp(
      postBody: credential.rawPostBody(user: name))
    #expect(reply.verdict == "200")
    #expect(reply.json["providerId"] == "apple.com")
    #expect(
      reply.json["displayName"]
        == #"Zoë & Co}&providerId=google.com&access_token=x "Müller" <b>&id_token=y"#)
    #expect(reply.json["oauthAccessToken"].isNull)

    // Apple returns the name once. A later sign-in without it doesn't remove the stored one.
    let later = try await server.app.signIn(try await server.providers.apple(person).credential)
    let shown = try await server.app.lookup(try #require(later.json["idToken"].string))
    #expect(shown.json["users"][0]["displayName"] == reply.json["displayName"])
  }

  @Test func `revoking with another person's code is refused`() async throws {
    let server = try suiteServer()
    let mine = try await server.app.signIn(
      try await server.providers.apple(try await server.providers.person()).credential)
    let other = try await server.providers.apple(try await server.providers.person())
    let idToken = try #require(mine.json["idToken"].string)
    let refused = try await server.app.revokeAppleCode(other.authorizationCode, idToken: idToken)
    #expect(refused.status == 400)
    #expect(refused.message?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
    #expect(try await server.providers.appleCredentialState(other.user) == "authorized")
  }
}
