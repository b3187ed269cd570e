import Testing

/// Nonces that the server issues, each for one session and one use.
@Suite(.developmentServer)
struct ServerNonceTests {
  @Test func `a nonce that the server issued to one session is refused in another`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    let (a, b) = (try await server.nonce(), try await server.nonce())
    let token = try await server.providers.google(person, nonce: a.nonce)
    let stolen = try await server.signIn(token, sessionID: b.sessionID)
    #expect(
      stolen.verdict
        == "400 MISSING_OR_INVALID_NONCE : The nonce was issued to another session.")
    #expect(
      try await server.signIn(token, sessionID: nil).verdict
        == "400 MISSING_OR_INVALID_NONCE : The nonce was issued to another session.")
    #expect(try await server.signIn(token, sessionID: a.sessionID).verdict == "200")
  }

  @Test func `a second token with the same nonce is refused`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    let issued = try await server.nonce()
    let first = try await server.providers.apple(person, nonce: issued.nonce).credential
    let second = try await server.providers.apple(person, nonce: issued.nonce).credential
    try #require(first.idToken != second.idToken)
    #expect(try await server.signIn(first, sessionID: issued.sessionID).verdict == "200")
    #expect(
      try await server.signIn(second, sessionID: issued.sessionID).verdict
        == "400 MISSING_OR_INVALID_NONCE : The nonce was used before. Request a new one.")
  }

  @Test func `a session's nonce links in that session and in no other`() async throws {
    let server = try suiteServer()
    let email = Unique.email("nonce")
    let one = try await server.app.signUp(email, "a long password")
    let two = try await server.app.signIn(email, "a long password")
    let issued = try await server.nonce(idToken: one.json["idToken"].string)
    #expect(issued.sessionID == nil)
    let token = try await server.providers.google(
      try await server.providers.person(), nonce: issued.nonce)
    #expect(
      try await server.app.signInWithIdp(
        postBody: token.postBody, idToken: two.json["idToken"].string
      ).verdict == "400 MISSING_OR_INVALID_NONCE : The nonce was issued to another session.")
    let refreshed = try await server.app.refresh(try #require(one.json["refreshToken"].string))
    #expect(
      try await server.app.signInWithIdp(
        postBody: token.postBody, idToken: refreshed.json["id_token"].string
      ).verdict == "200")
  }

  @Test func `a project may accept only the server's nonces`() async throws {
    try await GatehouseServer.with { server in
      let set = try await server.administrator.call(
        .patch, "config?updateMask=nonce", ["nonce": "server"], version: "v2")
      #expect(set.json["nonce"] == "server")
      let person = try await server.providers.person()
      #expect(
        try await server.app.signIn(try await server.providers.google(person)).verdict
          == "400 MISSING_OR_INVALID_NONCE : This project accepts only nonces of POST "
          + "/v1/nonces. A client can't create its own.")
      #expect(
        try await server.app.signIn(
          try await server.providers.google(person, nonce: nil)
        ).verdict
          == "400 MISSING_OR_INVALID_NONCE : Nonce is missing in the request. This project "
          + "requires one for each sign-in.")
      let issued = try await server.nonce()
      let token = try await server.providers.google(person, nonce: issued.nonce)
      #expect(try await server.signIn(token, sessionID: issued.sessionID).verdict == "200")
    }
  }
}

extension GatehouseServer {
  fileprivate func nonce(
    idToken: String? = nil
  ) async throws -> (nonce: String, sessionID: String?) {
    let reply = try await HTTP.post(
      "\(baseURL)/identitytoolkit.googleapis.com/v1/nonces?key=any-key",
      .members(["idToken": idToken]))
    guard let nonce = reply.json["nonce"].string else { throw Unexpected(reply) }
    return (nonce, reply.json["sessionId"].string)
  }

  fileprivate func signIn(_ credential: Credential, sessionID: String?) async throws -> Reply {
    var body: [String: JSON] = [
      "requestUri": "http://localhost", "postBody": .string(credential.postBody),
      "returnSecureToken": true,
    ]
    if let sessionID { body["sessionId"] = .string(sessionID) }
    return try await app.call("signInWithIdp", .object(body))
  }
}
