import GatehouseProtocol
import Testing

/// What one side writes, the other reads.
@Suite struct WireMessageTests {
  /// The message, written, read and written again.
  private func again<Message: WireMessage>(_ message: Message) throws -> String {
    let fields = WireFields(try JSONObject(parsing: message.json()))
    return String(decoding: try Message(fields).json(), as: UTF8.self)
  }

  private func text(_ message: some WireMessage) -> String {
    String(decoding: message.json(), as: UTF8.self)
  }

  private static let tokens = SessionTokens(
    idToken: "a.b.c", refreshToken: "r", expiresInSeconds: 3600)

  @Test func `requests`() throws {
    var lookup = LookupRequest(idToken: "a.b.c")
    lookup.sessionCookie = "cookie"
    lookup.localIDs = ["u1", "u2"]
    lookup.emails = ["a@example.com"]
    lookup.phoneNumbers = ["+4915112345678"]
    lookup.federatedUserIDs = [ProviderUserInfo(providerID: "apple.com", rawID: "s")]
    lookup.tenantID = "t"
    #expect(try again(lookup) == text(lookup))
    let password = SignInWithPasswordRequest(email: "a@example.com", password: "secret")
    #expect(try again(password) == text(password))
    let custom = SignInWithCustomTokenRequest(token: "x.y.z")
    #expect(try again(custom) == text(custom))
    let token = TokenRequest(refreshToken: "r")
    #expect(try again(token) == text(token))
    #expect(text(token) == #"{"grantType":"refresh_token","refreshToken":"r"}"#)
  }

  @Test func `a request to signInWithIdp`() throws {
    var request = SignInWithIdpRequest(
      requestURI: "http://localhost", postBody: "providerId=apple.com")
    request.pendingToken = "p"
    request.sessionID = "s"
    request.returnsIdpCredential = true
    request.ifNew = SignInWithIdpRequest.ask
    request.idToken = "a.b.c"
    request.autoCreate = false
    request.consent = ConsentMessage(version: "1", joins: ["apple.com"])
    request.tenantID = "t"
    #expect(try again(request) == text(request))
    #expect(
      text(request) == #"{"requestUri":"http://localhost","pendingToken":"p","#
        + #""postBody":"providerId=apple.com","sessionId":"s","returnSecureToken":true,"#
        + #""returnIdpCredential":true,"ifNew":"ask","idToken":"a.b.c","autoCreate":false,"#
        + #""consent":{"version":"1","joins":["apple.com"]},"tenantId":"t"}"#)
  }

  @Test func `requests about an account`() throws {
    var signUp = SignUpRequest()
    signUp.idToken = "a.b.c"
    signUp.email = "a@example.com"
    signUp.password = "secret"
    signUp.consent = ConsentMessage(version: "1", joins: ["email"])
    #expect(
      text(signUp) == #"{"idToken":"a.b.c","email":"a@example.com","password":"secret","#
        + #""returnSecureToken":true,"consent":{"version":"1","joins":["email"]}}"#)
    signUp.displayName = "Anna"
    signUp.photoURL = "https://example.com/a.png"
    signUp.localID = "u1"
    signUp.phoneNumber = "+4915112345678"
    signUp.emailVerified = false
    signUp.disabled = true
    signUp.tenantID = "t"
    #expect(try again(signUp) == text(signUp))

    var update = UpdateRequest()
    update.idToken = "a.b.c"
    update.displayName = ""
    update.deletedAttributes = [.displayName, .photoURL]
    update.deletedProviders = ["apple.com"]
    update.returnsSecureToken = true
    #expect(
      text(update) == #"{"idToken":"a.b.c","displayName":"","#
        + #""deleteAttribute":["DISPLAY_NAME","PHOTO_URL"],"deleteProvider":["apple.com"],"#
        + #""returnSecureToken":true}"#)
    update.localID = "u1"
    update.email = ""
    update.password = ""
    update.photoURL = "https://example.com/a.png"
    update.phoneNumber = "+4915112345678"
    update.oobCode = "c"
    update.emailVerified = true
    update.disableUser = false
    update.validSince = 1
    update.createdAt = 2
    update.lastLoginAt = 3
    update.customAttributes = "{}"
    update.linkedProvider = ProviderUserInfo(providerID: "google.com", rawID: "g")
    update.consent = ConsentMessage(version: "1", joins: [])
    update.tenantID = "t"
    #expect(try again(update) == text(update))

    var delete = DeleteRequest(idToken: "a.b.c")
    #expect(text(delete) == #"{"idToken":"a.b.c"}"#)
    delete.localID = "u1"
    delete.tenantID = "t"
    #expect(try again(delete) == text(delete))
  }

  @Test func `requests about codes`() throws {
    var send = SendOobCodeRequest(type: .emailChange)
    send.idToken = "a.b.c"
    send.newEmail = "b@example.com"
    send.continueURL = "https://example.com/after"
    send.canHandleCodeInApp = true
    send.iOSBundleID = "com.example.app"
    send.androidPackageName = "com.example.android"
    send.androidMinimumVersion = "12"
    send.androidInstallApp = true
    send.linkDomain = "links.example.com"
    #expect(
      text(send) == #"{"requestType":"VERIFY_AND_CHANGE_EMAIL","idToken":"a.b.c","#
        + #""newEmail":"b@example.com","continueUrl":"https://example.com/after","#
        + #""canHandleCodeInApp":true,"iOSBundleId":"com.example.app","#
        + #""androidPackageName":"com.example.android","androidMinimumVersion":"12","#
        + #""androidInstallApp":true,"linkDomain":"links.example.com"}"#)
    send.email = "a@example.com"
    send.returnsLink = true
    send.tenantID = "t"
    #expect(try again(send) == text(send))
    for type in ActionCodeType.allCases {
      let request = SendOobCodeRequest(type: type)
      #expect(try again(request) == text(request))
    }

    var reset = ResetPasswordRequest(code: "c", newPassword: "")
    #expect(text(reset) == #"{"oobCode":"c","newPassword":""}"#)
    reset.tenantID = "t"
    #expect(try again(reset) == text(reset))

    var link = SignInWithEmailLinkRequest(email: "a@example.com", code: "c")
    link.idToken = "a.b.c"
    link.consent = ConsentMessage(version: "1", joins: ["email"])
    #expect(
      text(link) == #"{"email":"a@example.com","oobCode":"c","idToken":"a.b.c","#
        + #""returnSecureToken":true,"consent":{"version":"1","joins":["email"]}}"#)
    link.tenantID = "t"
    #expect(try again(link) == text(link))

    var message = SendVerificationCodeRequest(phoneNumber: "+4915112345678")
    #expect(text(message) == #"{"phoneNumber":"+4915112345678"}"#)
    message.tenantID = "t"
    #expect(try again(message) == text(message))

    var phone = SignInWithPhoneNumberRequest(operation: .link)
    phone.sessionInfo = "s"
    phone.code = "123456"
    phone.idToken = "a.b.c"
    phone.consent = ConsentMessage(version: "1", joins: ["phone"])
    #expect(
      text(phone) == #"{"sessionInfo":"s","code":"123456","operation":"LINK","idToken":"a.b.c","#
        + #""consent":{"version":"1","joins":["phone"]}}"#)
    phone.temporaryProof = "p"
    phone.phoneNumber = "+4915112345678"
    phone.tenantID = "t"
    #expect(try again(phone) == text(phone))
    for operation in SignInWithPhoneNumberRequest.Operation.allCases {
      let request = SignInWithPhoneNumberRequest(operation: operation)
      #expect(try again(request) == text(request))
    }
  }

  @Test func `requests about providers`() throws {
    let nonce = NonceRequest(idToken: "a.b.c")
    #expect(try again(nonce) == text(nonce))
    #expect(text(nonce) == #"{"idToken":"a.b.c"}"#)
    #expect(text(NonceRequest(idToken: nil)) == "{}")

    var begin = CreateAuthURIRequest(identifier: "a@example.com", continueURI: "http://localhost")
    #expect(text(begin) == #"{"identifier":"a@example.com","continueUri":"http://localhost"}"#)
    begin.providerID = "oidc.a"
    begin.sessionID = "s"
    begin.oauthScope = "openid email"
    begin.customParameters = [("prompt", "login"), ("hd", "example.com")]
    begin.tenantID = "t"
    #expect(try again(begin) == text(begin))

    var revoke = RevokeTokenRequest(
      providerID: "apple.com", kind: .code, token: "c", idToken: "a.b.c")
    #expect(
      text(revoke)
        == #"{"providerId":"apple.com","tokenType":"CODE","token":"c","idToken":"a.b.c"}"#)
    revoke.redirectURI = "https://example.com"
    revoke.tenantID = "t"
    for kind in RevokeTokenRequest.Kind.allCases {
      revoke.kind = kind
      #expect(try again(revoke) == text(revoke))
    }
  }

  @Test func `an answer of signInWithIdp`() throws {
    var response = SignInWithIdpResponse(providerID: "google.com")
    response.federatedID = "https://accounts.google.com/g"
    response.tokens = Self.tokens
    response.localID = "u1"
    response.email = "a@example.com"
    response.emailVerified = false
    response.displayName = "Anna B"
    response.firstName = "Anna"
    response.lastName = "B"
    response.fullName = "Anna B"
    response.photoURL = "https://example.com/a.png"
    response.screenName = "anna"
    response.rawUserInfo = "{}"
    response.isNewUser = true
    response.oauthIDToken = "d.e.f"
    response.oauthAccessToken = "access"
    response.oauthTokenSecret = "secret"
    response.pendingToken = "pending"
    response.needConfirmation = true
    response.verifiedProviders = ["apple.com"]
    response.emailRecycled = true
    response.errorMessage = "EMAIL_EXISTS"
    response.secondFactor = PendingSecondFactor(credential: "mfa", factors: [])
    response.consentRequired = ConsentRequired(joins: ["apple.com", "email"])
    #expect(try again(response) == text(response))
    #expect(
      try again(SignInWithIdpResponse(providerID: "google.com"))
        == #"{"kind":"identitytoolkit#VerifyAssertionResponse","providerId":"google.com"}"#)
  }

  @Test func `other answers`() throws {
    var update = UpdateResponse(user: UserInfo(localID: "u1"), tokens: Self.tokens)
    update.user.email = "a@example.com"
    update.user.emailVerified = true
    update.user.displayName = "Anna"
    update.user.photoURL = "https://example.com/a.png"
    update.user.hasPassword = true
    update.user.providers = [ProviderUserInfo(providerID: "google.com", rawID: "g")]
    update.newEmail = "b@example.com"
    #expect(try again(update) == text(update))
    update.tokens = nil
    #expect(try again(update) == text(update))

    var reset = ResetPasswordResponse(type: .emailChange)
    reset.email = "a@example.com"
    reset.newEmail = "b@example.com"
    #expect(try again(reset) == text(reset))

    let link = SignInWithEmailLinkResponse(
      localID: "u1", email: "a@example.com", isNewUser: true, tokens: Self.tokens)
    #expect(try again(link) == text(link))

    let message = SendVerificationCodeResponse(sessionInfo: "s")
    #expect(try again(message) == text(message))
    for outcome in [
      SignInWithPhoneNumberResponse.Outcome.temporaryProof("p", expiresInSeconds: 600),
      .signedIn(localID: "u1", isNewUser: true, tokens: Self.tokens),
    ] {
      let phone = SignInWithPhoneNumberResponse(phoneNumber: "+4915112345678", outcome: outcome)
      #expect(try again(phone) == text(phone))
    }

    let nonce = NonceResponse(nonce: "n", sessionID: "s", expiresInSeconds: 600)
    #expect(try again(nonce) == text(nonce))
    var begin = CreateAuthURIResponse(
      sessionID: "s",
      registration: .init(
        isRegistered: true, providers: ["password"], signInMethods: ["emailLink"]))
    #expect(try again(begin) == text(begin))
    begin.registration = nil
    begin.redirect = .init(providerID: "oidc.a", authURI: "https://a.example.com/authorize")
    #expect(try again(begin) == text(begin))
    #expect(try again(EmptyResponse()) == "{}")
  }

  @Test func `a type of code that this version doesn't have is kept`() throws {
    let response = try ResetPasswordResponse(
      WireFields(["requestType": "OF_TOMORROW", "email": "a@example.com"]))
    #expect(response.typeName == "OF_TOMORROW")
  }

  @Test func `an error`() throws {
    var error = ErrorBody(
      code: 400, message: "CONSENT_REQUIRED : detail", status: "INVALID_ARGUMENT",
      details: [.init(message: "m", reason: "invalid", header: "Authorization")])
    error.consentRequired = ConsentRequired(joins: ["email"])
    #expect(try again(error) == text(error))
  }

  @Test func `an error needs a message, and nothing else`() throws {
    let error = try ErrorBody(
      WireFields([
        "error": ["message": "CODE", "code": "x", "errors": 1, "consentRequired": [], "status": 2]
      ]))
    #expect(error.message == "CODE")
    #expect(error.details.isEmpty)
    #expect(error.consentRequired == nil)
    #expect(throws: WireError(field: "error.message", wanted: .string)) {
      try ErrorBody(WireFields(["error": ["code": 400]]))
    }
    #expect(throws: WireError(field: "error", wanted: .message)) {
      try ErrorBody(WireFields(["error": "invalid_grant"]))
    }
  }

  @Test func `an error's message may be only in its list`() throws {
    var error = ErrorBody(
      code: 503, message: "", details: [.init(message: "Later.", reason: "backendError")])
    #expect(
      text(error) == """
        {"error":{"code":503,"errors":[{"message":"Later.","domain":"global",\
        "reason":"backendError"}]}}
        """)
    error.message = "Later."
    #expect(try again(ErrorBody(code: 503, message: "", details: error.details)) == text(error))
  }

  @Test func `answers`() throws {
    #expect(try again(Self.tokens) == text(Self.tokens))
    let custom = SignInWithCustomTokenResponse(isNewUser: true, tokens: Self.tokens)
    #expect(try again(custom) == text(custom))
    var user = UserInfo(localID: "u1")
    user.email = "a@example.com"
    user.emailVerified = true
    user.displayName = "Anna"
    user.photoURL = "https://example.com/a.png"
    user.phoneNumber = "+4915112345678"
    user.hasPassword = true
    user.hasEmailLink = true
    user.passwordUpdatedAt = 1
    user.providers = [ProviderUserInfo(providerID: "google.com", rawID: "g")]
    user.validSince = 2
    user.disabled = true
    user.createdAt = 3
    user.lastLoginAt = 4
    user.lastRefreshAt = "1970-01-01T00:00:00Z"
    user.customAttributes = #"{"role":"admin"}"#
    user.isCustomAuth = true
    user.tenantID = "t"
    user.providers[0].isRevokedOnDeletion = true
    user.providers[0].consentRevokedAt = 5
    let response = LookupResponse(users: [user])
    #expect(try again(response) == text(response))
  }

  @Test func `the token endpoint's snake case is read by the same names`() throws {
    let response = TokenResponse(
      idToken: "a.b.c", refreshToken: "r", expiresInSeconds: 3600, userID: "u", projectNumber: "1")
    let tokens = try SessionTokens(WireFields(JSONObject(parsing: response.json())))
    #expect(tokens.idToken == "a.b.c")
    #expect(tokens.refreshToken == "r")
    #expect(tokens.expiresInSeconds == 3600)
  }

  @Test func `a lifetime beyond all limits is cut`() throws {
    let tokens = try SessionTokens(
      WireFields(["idToken": "a.b.c", "refreshToken": "r", "expiresIn": "9223372036854775807"]))
    #expect(tokens.expiresInSeconds == Int.max)
  }

  @Test(arguments: ["idToken", "refreshToken"])
  func `an answer without one of its tokens is refused`(_ missing: String) {
    var members: JSONObject = ["idToken": "a.b.c", "refreshToken": "r"]
    members = JSONObject(members.members.filter { $0.name != missing })
    #expect(throws: WireError(field: missing, wanted: .string)) {
      try SessionTokens(WireFields(members))
    }
  }
}
