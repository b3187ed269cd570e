import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// What is sent, as the server's own types read it.
@Suite struct RequestTests {
  @Test func `Apple's credential arrives completely`() async throws {
    let bench = try Bench()
    let nonce = Nonce(raw: "a+b&c=d%20é")
    let name = PersonName(givenName: "Zoë & Co", familyName: #"O"Neil"#)
    try await bench.client.signIn(
      with: .apple(
        idToken: "h.p.s", nonce: nonce, fullName: name, authorizationCode: "c.0.r&x=y"),
      consent: Consent(version: "1", joins: ["apple.com", "email"]))
    let request = try #require(bench.server.requests("accounts:signInWithIdp").first)
    let message = try request.message(SignInWithIdpRequest.self)
    #expect(message.requestURI == "http://localhost")
    #expect(message.returnsIdpCredential)
    #expect(message.autoCreate)
    #expect(message.idToken == nil)
    #expect(message.ifNew == nil)
    #expect(message.consent?.version == "1")
    #expect(message.consent?.joins == ["apple.com", "email"])
    let post = PostBody(
      postBody: message.postBody, requestURI: message.requestURI.map { RequestURI($0) })
    #expect(post.providerID == "apple.com")
    #expect(post.idToken == "h.p.s")
    #expect(post.nonce == nonce.raw)
    #expect(post.code == "c.0.r&x=y")
    #expect(post.user?.firstName == "Zoë & Co")
    #expect(post.user?.lastName == #"O"Neil"#)
  }

  @Test(arguments: [nil, .unsupported, .unknown, .likelyReal] as [GatehouseClient.RealUserStatus?])
  func `what Apple's sheet says of the user is sent beside the token`(
    _ status: GatehouseClient.RealUserStatus?
  ) async throws {
    let bench = try Bench()
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = "h.p.s"
    credential.realUserStatus = status
    try await bench.client.signIn(with: .identityProvider(credential))
    let message = try #require(bench.server.requests.first).message(SignInWithIdpRequest.self)
    let post = PostBody(postBody: message.postBody, requestURI: nil)
    #expect(post.realUserStatus?.rawValue == status?.rawValue)
    #expect(message.postBody?.contains("realUserStatus") == (status != nil))
  }

  @Test func `every request identifies the client`() async throws {
    let bench = try Bench()
    bench.client.languageCode = "vi"
    try await bench.signedIn()
    let request = try #require(bench.server.requests.first)
    #expect(
      request.url.absoluteString
        == "https://auth.example.com/v1/accounts:signInWithIdp?key=key%2F1")
    #expect(request.headers["X-Client-Version"]?.hasPrefix("Gatehouse/Swift/") == true)
    #expect(request.headers["X-Ios-Bundle-Identifier"] == "com.example.app")
    #expect(request.headers["X-Firebase-Locale"] == "vi")
    #expect(request.headers["Content-Type"] == "application/json")
  }

  @Test func `a pending token stands for the credential`() async throws {
    let bench = try Bench()
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = "spent"
    credential.pendingToken = "pending"
    try await bench.client.signIn(with: .identityProvider(credential))
    let message = try #require(bench.server.requests.first).message(SignInWithIdpRequest.self)
    #expect(message.pendingToken == "pending")
    #expect(message.postBody?.contains("spent") == false)
  }

  @Test func `a browser's answer goes with its session id`() async throws {
    let bench = try Bench()
    var credential = IdentityProviderCredential(provider: "oidc.example")
    credential.redirect = RedirectAnswer(
      requestURI: "https://auth.example.com/__/auth/callback?code=1", sessionID: "secret")
    try await bench.client.signIn(with: .identityProvider(credential))
    let message = try #require(bench.server.requests.first).message(SignInWithIdpRequest.self)
    #expect(message.requestURI == "https://auth.example.com/__/auth/callback?code=1")
    #expect(message.sessionID == "secret")
    #expect(message.postBody == "providerId=oidc.example")
  }

  @Test func `asking, linking and re-authenticating send different fields`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let token = try #require(user.heldIDToken).token
    let google = GatehouseClient.Credential.google(idToken: "t", nonce: Nonce())
    _ = try await bench.client.signInAsking(with: google)
    _ = try await user.reauthenticate(with: google)
    try await bench.client.adopt(user)
    _ = try? await user.link(google)
    let messages = try bench.server.requests("accounts:signInWithIdp").dropFirst().map {
      try $0.message(SignInWithIdpRequest.self)
    }
    #expect(messages.map(\.ifNew) == ["ask", nil, nil])
    #expect(messages.map(\.autoCreate) == [true, false, true])
    #expect(messages.map { $0.idToken != nil } == [false, false, true])
    #expect(messages[2].idToken != token)
  }

  @Test func `a phone number's code goes with its session, and says what it is for`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:signInWithPhoneNumber") {
      SignInWithPhoneNumberResponse(
        phoneNumber: "+15555550100",
        outcome: .temporaryProof("proof", expiresInSeconds: 600))
    }
    bench.server.on("accounts:sendVerificationCode") {
      SendVerificationCodeResponse(sessionInfo: "session")
    }
    let id = try await bench.client.sendVerificationCode(to: "+15555550100")
    let code = GatehouseClient.Credential.phone(verificationID: id, code: "123456")
    let proof = PhoneCredential.temporaryProof("proof", phoneNumber: "+15555550100")
    await #expect(throws: ClientError.phoneNumberInUse(updated: proof)) {
      try await user.link(code, consent: Consent(version: "1", joins: ["phone"]))
    }
    await #expect(throws: ClientError.phoneNumberInUse(updated: proof)) {
      try await user.updatePhoneNumber(proof)
    }
    _ = try? await user.reauthenticate(with: code)
    _ = try? await bench.client.signIn(with: code)
    let sent = try #require(bench.server.requests("accounts:sendVerificationCode").first)
      .message(SendVerificationCodeRequest.self)
    #expect(sent.phoneNumber == "+15555550100")
    let messages = try bench.server.requests("accounts:signInWithPhoneNumber").map {
      try $0.message(SignInWithPhoneNumberRequest.self)
    }
    #expect(messages.map(\.operation) == [.link, .update, .reauthenticate, .signUpOrIn])
    #expect(messages.map(\.sessionInfo) == ["session", nil, "session", "session"])
    #expect(messages.map(\.code) == ["123456", nil, "123456", "123456"])
    #expect(messages[1].temporaryProof == "proof" && messages[1].phoneNumber == "+15555550100")
    #expect(messages.map { $0.idToken != nil } == [true, true, false, false])
    #expect(messages[0].consent?.joins == ["phone"])
  }

  @Test func `a refresh names its token`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let refreshToken = user.refreshToken
    _ = try await user.idToken(forcingRefresh: true)
    let message = try #require(bench.server.requests("v1/token").first).message(TokenRequest.self)
    #expect(message.grantType == .refreshToken)
    #expect(message.refreshToken == refreshToken)
    #expect(user.refreshToken != refreshToken)
  }

  @Test func `a profile is changed, kept and removed`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:update") { UpdateResponse(user: Answers.alice(), tokens: nil) }
    var change = ProfileChange()
    change.displayName = .set("")
    change.photoURL = .remove
    try await user.update(profile: change)
    let message = try #require(bench.server.requests("accounts:update").first)
      .message(UpdateRequest.self)
    #expect(message.displayName == "")
    #expect(message.photoURL == nil)
    #expect(message.deletedAttributes == [.photoURL])
    #expect(message.returnsSecureToken)
    try await user.update(profile: ProfileChange())
    #expect(bench.server.requests("accounts:update").count == 1)
  }

  @Test func `an address, a password and an unlinking are updates`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:update") {
      UpdateResponse(user: Answers.alice(), tokens: Answers.tokens(now: bench.clock.now))
    }
    try await user.update(email: "b@example.com")
    try await user.update(password: "secret")
    try await user.unlink(.apple)
    let messages = try bench.server.requests("accounts:update").map {
      try $0.message(UpdateRequest.self)
    }
    #expect(messages.map(\.email) == ["b@example.com", nil, nil])
    #expect(messages.map(\.password) == [nil, "secret", nil])
    #expect(messages.map(\.deletedProviders) == [[], [], ["apple.com"]])
  }

  @Test func `Apple's tokens are revoked by a code`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:revokeToken") { EmptyResponse() }
    try await user.revokeApple(authorizationCode: "code")
    let request = try #require(bench.server.requests("accounts:revokeToken").first)
    #expect(request.url.path == "/v2/accounts:revokeToken")
    let message = try request.message(RevokeTokenRequest.self)
    #expect(message.providerID == "apple.com")
    #expect(message.kind == .code)
    #expect(message.token == "code")
    #expect(message.idToken == user.heldIDToken?.token)
  }

  @Test func `codes that the user can type are requested by email`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:sendOobCode") {
      var response = SendOobCodeResponse(email: "a@example.com")
      response.sessionInfo = "session"
      return response
    }
    let sessions = [
      try await bench.client.sendPasswordResetCode(to: "a@example.com"),
      try await bench.client.sendSignInCode(to: "a@example.com"),
      try await user.sendEmailVerificationCode(),
      try await user.sendEmailVerificationCode(beforeUpdatingTo: "b@example.com"),
    ]
    #expect(sessions.allSatisfy { $0.id == "session" })
    let messages = try bench.server.requests("accounts:sendOobCode").map {
      try $0.message(SendOobCodeRequest.self)
    }
    #expect(
      messages.map(\.type) == [.passwordReset, .emailSignIn, .emailVerification, .emailChange])
    #expect(messages.map(\.withVerificationCode) == [true, true, true, true])
  }

  @Test func `a server that sends no digits is an error, not a session`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:sendOobCode") { SendOobCodeResponse(email: "a@example.com") }
    await #expect(
      throws: ClientError.badAnswer(detail: "The server sends no codes that can be typed.")
    ) { try await bench.client.sendPasswordResetCode(to: "a@example.com") }
  }

  @Test func `codes are requested by email`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:sendOobCode") { SendOobCodeResponse(email: "a@example.com") }
    var settings = ActionLinkSettings()
    settings.continueURL = URL(string: "https://example.com/after?x=1")
    settings.handleCodeInApp = true
    settings.iosBundleID = "com.example.app"
    settings.androidPackageName = "com.example.android"
    settings.androidMinimumVersion = "12"
    settings.androidInstallIfNotAvailable = true
    settings.linkDomain = "links.example.com"
    try await bench.client.sendPasswordReset(to: "a@example.com")
    try await bench.client.sendSignInLink(to: "a@example.com", settings: settings)
    try await user.sendEmailVerification()
    try await user.sendEmailVerification(beforeUpdatingTo: "b@example.com", settings: settings)
    let messages = try bench.server.requests("accounts:sendOobCode").map {
      try $0.message(SendOobCodeRequest.self)
    }
    #expect(
      messages.map(\.type) == [.passwordReset, .emailSignIn, .emailVerification, .emailChange])
    #expect(messages.map(\.email) == ["a@example.com", "a@example.com", nil, nil])
    #expect(messages.map { $0.idToken != nil } == [false, false, true, true])
    #expect(messages[3].newEmail == "b@example.com")
    #expect(messages[1].continueURL == "https://example.com/after?x=1")
    #expect(messages[1].canHandleCodeInApp)
    #expect(messages[1].iOSBundleID == "com.example.app")
    #expect(messages[1].androidPackageName == "com.example.android")
    #expect(messages[1].androidMinimumVersion == "12")
    #expect(messages[1].androidInstallApp)
    #expect(messages[1].linkDomain == "links.example.com")
  }

  @Test func `a link's code is found, also in a nested link`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithEmailLink") {
      SignInWithEmailLinkResponse(
        localID: "alice", email: "a@example.com", isNewUser: true,
        tokens: Answers.tokens(now: bench.clock.now))
    }
    let inner = "https://auth.example.com/__/auth/action?mode=signIn&oobCode=c%2B1"
    let outer =
      "https://example.page.link/?link=" + inner.addingPercentEncoding(
        withAllowedCharacters: .alphanumerics)!
    for link in [inner, outer] {
      let result = try await bench.client.signIn(
        with: .emailLink(email: "a@example.com", link: link))
      #expect(result.isNewUser)
    }
    for request in bench.server.requests("accounts:signInWithEmailLink") {
      #expect(try request.message(SignInWithEmailLinkRequest.self).code == "c+1")
    }
    await #expect(throws: ClientError.invalidArgument(detail: "The link contains no code.")) {
      try await bench.client.signIn(
        with: .emailLink(email: "a@example.com", link: "https://example.com/?mode=signIn"))
    }
  }

  @Test func `the other calls send their parameters`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithPassword") {
      SignInWithPasswordResponse(
        localID: "alice", email: "a@example.com", tokens: Answers.tokens(now: bench.clock.now))
    }
    bench.server.on("accounts:signInWithCustomToken") {
      SignInWithCustomTokenResponse(isNewUser: true, tokens: Answers.tokens(now: bench.clock.now))
    }
    bench.server.on("accounts:signUp") {
      var response = SignUpResponse(localID: "alice")
      response.tokens = Answers.tokens(now: bench.clock.now)
      return response
    }
    bench.server.on("accounts:resetPassword") { ResetPasswordResponse(type: .emailChange) }
    bench.server.on("accounts:createAuthUri") {
      CreateAuthURIResponse(
        sessionID: "s",
        registration: .init(
          isRegistered: true, providers: ["apple.com"], signInMethods: ["a", "b"]))
    }
    bench.server.on("v1/nonces") {
      NonceResponse(nonce: "ghn_1", sessionID: "s", expiresInSeconds: 600)
    }
    let client = bench.client
    try await client.signIn(with: .password(email: "a@example.com", password: "p"))
    #expect(try await client.signIn(withCustomToken: "custom").isNewUser)
    try await client.createUser(email: "a@example.com", password: "p")
    try client.signOut()
    try await client.signInAnonymously()
    #expect(try await client.check(actionCode: "c").requestType == "VERIFY_AND_CHANGE_EMAIL")
    try await client.resetPassword(code: "c", newPassword: "new")
    #expect(try await client.signInMethods(for: "a@example.com") == ["a", "b"])
    let nonce = try await client.issueNonce()
    #expect(nonce.nonce.raw == "ghn_1")
    #expect(nonce.sessionID == "s")

    func last<Request: WireRequest>(_ path: String, _ type: Request.Type) throws -> Request {
      try #require(bench.server.requests(path).last).message(type)
    }
    let password = try last("accounts:signInWithPassword", SignInWithPasswordRequest.self)
    #expect(password.email == "a@example.com")
    #expect(password.password == "p")
    #expect(
      try last("accounts:signInWithCustomToken", SignInWithCustomTokenRequest.self).token
        == "custom")
    let anonymous = try last("accounts:signUp", SignUpRequest.self)
    #expect(anonymous.email == nil)
    #expect(anonymous.idToken == nil)
    #expect(try last("accounts:resetPassword", ResetPasswordRequest.self).newPassword == "new")
    #expect(
      try last("accounts:createAuthUri", CreateAuthURIRequest.self).identifier == "a@example.com")
  }

  @Test func `a snapshot has everything that the server says about the user`() async throws {
    let bench = try Bench()
    var user = Answers.alice()
    user.photoURL = "https://example.com/a.png"
    user.phoneNumber = "+491234"
    var google = ProviderUserInfo(providerID: "google.com", rawID: "g1")
    google.email = "g@example.com"
    google.displayName = "G"
    google.photoURL = "https://example.com/g.png"
    user.providers.append(google)
    bench.server.on("accounts:lookup") { [user] in LookupResponse(users: [user]) }
    let snapshot = try await bench.signedIn().snapshot
    #expect(snapshot.email == "alice@example.com")
    #expect(snapshot.isEmailVerified)
    #expect(snapshot.displayName == "Alice")
    #expect(snapshot.photoURL?.absoluteString == "https://example.com/a.png")
    #expect(snapshot.phoneNumber == "+491234")
    #expect(snapshot.createdAt == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(snapshot.lastSignInAt == Date(timeIntervalSince1970: 1_800_000_000))
    #expect(snapshot.providers.map(\.provider) == [.apple, .google])
    let linked = try #require(snapshot.provider(.google))
    #expect(linked.uid == "g1")
    #expect(linked.email == "g@example.com")
    #expect(linked.displayName == "G")
    #expect(!snapshot.isAnonymous)
  }
}
