import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct SignInWithCustomTokenTests {
  private func with(
    roles: Set<ServiceAccount.Role> = [.customTokens], keyExpiresAt: Date? = nil,
    _ body: (World) async throws -> Void
  ) async throws {
    try await withWorld { world in
      _ = try await ServiceAccounts(store: world.store).create(
        robot, in: world.project.id, roles: roles, key: try publicKey(expiresAt: keyExpiresAt),
        now: world.now)
      try await body(world)
    }
  }

  @Test func `the first sign-in creates the account, the next one finds it`() async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now)
      let first = try await world.signIn(customToken: token)
      #expect(first.isNewUser)
      #expect(first.account.uid.text == "alice")
      #expect(first.session.provider == .custom)
      #expect(try await world.stored(uid("alice")).isCustom)
      world.advance(10)
      let second = try await world.signIn(customToken: token)
      #expect(!second.isNewUser)
      #expect(try await world.stored(uid("alice")).lastLoginAt == world.now)
    }
  }

  @Test func `a custom token signs in to an existing account`() async throws {
    try await with { world in
      let ann = try await world.signUp("ann@example.com")
      let signedIn = try await world.signIn(
        customToken: try customToken(ann.account.uid.text, at: world.now))
      #expect(!signedIn.isNewUser)
      #expect(signedIn.account.email?.text == "ann@example.com")
      #expect(try await world.stored(ann.account.uid).password != nil)
    }
  }

  @Test func `a back end may create accounts even if sign-ups are refused`() async throws {
    try await with { world in
      let closed = world.project { $0.refusesSignUp = true }
      let token = try customToken("alice", at: world.now)
      #expect(try await world.signIn(customToken: token, in: closed).isNewUser)
    }
  }

  @Test func `the developer's claims are in every ID token of the session`() async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now) {
        $0["claims"] = ["role": "dev", "plan": "pro"]
      }
      let signedIn = try await world.signIn(customToken: token)
      _ = try await world.administer(uid("alice")) {
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"plan":"free","team":"blue"}"#))
      }
      world.advance(3600)
      let refreshed = try await world.refresh(signedIn.tokens.refreshToken)
      for idToken in [signedIn.tokens.idToken, refreshed.tokens.idToken] {
        #expect(try claims(of: idToken)["role"] == "dev")
        #expect(try claims(of: idToken)["plan"] == "pro")
        #expect(try claims(of: idToken)["firebase"]?["sign_in_provider"] == "custom")
      }
      #expect(try claims(of: refreshed.tokens.idToken)["team"] == "blue")
      let without = try await world.signIn(
        customToken: try customToken("alice", at: world.now))
      #expect(try claims(of: without.tokens.idToken)["role"] == nil)
      #expect(try claims(of: without.tokens.idToken)["plan"] == "free")
    }
  }

  @Test func `a session after a new address keeps the claims`() async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now) { $0["claims"] = ["role": "dev"] }
      let signedIn = try await world.signIn(customToken: token)
      let address = try email("alice@example.com")
      let changed = try await world.update(signedIn.tokens.idToken) { $0.email = .set(address) }
      let idToken = try #require(changed.tokens?.idToken)
      #expect(try claims(of: idToken)["email"] == "alice@example.com")
      #expect(try claims(of: idToken)["role"] == "dev")
      #expect(try claims(of: idToken)["firebase"]?["sign_in_provider"] == "custom")
    }
  }

  enum Addition: CaseIterable { case identity, number, emailLink, password }

  /// They may restrict what the user may do.
  @Test(arguments: Addition.allCases)
  func `a session after a new credential keeps the claims`(_ addition: Addition) async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now) { $0["claims"] = ["readOnly": true] }
      let idToken = try await world.signIn(customToken: token).tokens.idToken
      let added: SignedIn
      switch addition {
      case .identity:
        added = try await world.signIn(identity(.google), linkingTo: idToken).signedIn()
      case .number: added = try await world.signInByPhone(idToken: idToken)
      case .emailLink:
        let code = try await world.sent(
          .emailSignIn(try email("alice@example.com")), to: "alice@example.com")
        added = try await world.signIn(code: code, "alice@example.com", linkingTo: idToken)
      case .password: added = try await world.upgrade(idToken, "alice@example.com")
      }
      #expect(try claims(of: added.tokens.idToken)["readOnly"] == true)
      let refreshed = try await world.refresh(added.tokens.refreshToken)
      #expect(try claims(of: refreshed.tokens.idToken)["readOnly"] == true)
    }
  }

  @Test func `a disabled account is rejected`() async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now)
      _ = try await world.signIn(customToken: token)
      _ = try await world.administer(uid("alice")) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.signIn(customToken: token)
      }
    }
  }

  @Test func `another project's service account can't sign users in`() async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now)
      let forged = try customToken("alice", at: world.now, key: try SharedKey.strangersKey())
      let other = try await world.otherProject()
      // The same error for both: it doesn't reveal that the account exists elsewhere.
      for text in [token, forged] {
        await #expect(throws: AssertionRefusal.unknownIssuer) {
          try await world.signIn(customToken: text, in: other)
        }
      }
      #expect(try await world.signIn(customToken: token).isNewUser)
    }
  }

  @Test func `without the role, or the account, the sign-in is rejected`() async throws {
    try await with(roles: [.admin]) { world in
      await #expect(throws: AssertionRefusal.unknownIssuer) {
        try await world.signIn(customToken: try customToken("alice", at: world.now))
      }
      let stranger = try customToken("alice", at: world.now, issuer: "other@example.com")
      await #expect(throws: AssertionRefusal.unknownIssuer) {
        try await world.signIn(customToken: stranger)
      }
      #expect(try await world.count() == 0)
    }
  }

  /// `iss` is compared as bytes, without case folding of Unicode or ASCII.
  @Test(
    arguments: [
      ("ROBOT@example.com", .token(.issuer)), ("robot@EXAMPLE.com", .token(.issuer)),
      ("robo\u{FF54}@example.com", .unknownIssuer), ("robot@example.com\u{212A}", .unknownIssuer),
    ] as [(String, AssertionRefusal)])
  func `a name that equals an account's only after case folding is rejected`(
    issuer: String, refusal: AssertionRefusal
  ) async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now, issuer: issuer)
      await #expect(throws: refusal) {
        try await world.signIn(customToken: token)
      }
      #expect(try await world.count() == 0)
    }
  }

  @Test func `a key is valid until its certificate expires`() async throws {
    try await with(keyExpiresAt: World.start.addingTimeInterval(60)) { world in
      let token = try customToken("alice", at: world.now)
      world.advance(59)
      _ = try await world.signIn(customToken: token)
      world.advance(1)
      await #expect(throws: AssertionRefusal.token(.keyUnknown)) {
        try await world.signIn(customToken: token)
      }
    }
  }

  @Test func `a token signed with another key is rejected`() async throws {
    try await with { world in
      let forged = try customToken("alice", at: world.now, key: try SharedKey.strangersKey())
      await #expect(throws: AssertionRefusal.token(.signature)) {
        try await world.signIn(customToken: forged)
      }
    }
  }

  @Test func `a token for another audience is rejected`() async throws {
    try await with { world in
      let assertion = try customToken("alice", at: world.now) {
        $0["aud"] = "https://oauth2.googleapis.com/token"
      }
      await #expect(throws: AssertionRefusal.token(.audience)) {
        try await world.signIn(customToken: assertion)
      }
    }
  }

  @Test(
    arguments: [
      (nil, .uidMissing), (JSONNumber(1.5).map(JSONValue.number), .uidMissing), ("", .uidLength),
      (.string(String(repeating: "é", count: 65)), .uidLength), ("a\u{0}b", .uidCharacters),
    ] as [(JSONValue?, CustomTokenError)])
  func `an invalid user id is rejected`(
    _ value: JSONValue?, _ error: CustomTokenError
  ) async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now) { $0["uid"] = value }
      await #expect(throws: error) { try await world.signIn(customToken: token) }
    }
  }

  @Test func `a user id may have 128 bytes`() async throws {
    try await with { world in
      let long = String(repeating: "é", count: 64)
      let signedIn = try await world.signIn(customToken: try customToken(long, at: world.now))
      #expect(signedIn.account.uid.text == long)
    }
  }

  @Test(
    arguments: [
      ("x", .invalid), (["a"], .invalid), (["firebase": "x"], .forbidden("firebase")),
      (["sub": "bob"], .forbidden("sub")),
      (["x": .string(String(repeating: "y", count: 4089))], .tooLarge),
    ] as [(JSONValue, CustomClaimsError)])
  func `invalid claims are rejected`(
    _ value: JSONValue, _ error: CustomClaimsError
  ) async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now) { $0["claims"] = value }
      await #expect(throws: error) { try await world.signIn(customToken: token) }
      #expect(try await world.count() == 0)
    }
  }

  @Test func `developer claims may have 4096 characters, also after a refresh`() async throws {
    try await with { world in
      let long = String(repeating: "y", count: 4088)
      let token = try customToken("alice", at: world.now) { $0["claims"] = ["x": .string(long)] }
      let signedIn = try await world.signIn(customToken: token)
      #expect(try claims(of: signedIn.tokens.idToken)["x"] == .string(long))
      let refreshed = try await world.refresh(signedIn.tokens.refreshToken)
      #expect(try claims(of: refreshed.tokens.idToken)["x"] == .string(long))
    }
  }

  @Test func `with the longest claims of both kinds the server accepts its own ID token`()
    async throws
  {
    try await with { world in
      // Three bytes each in UTF-8. The JSON around the text has eight characters.
      let long = String(repeating: "\u{6F22}", count: 2045)
      let fits = try customToken("alice", at: world.now) {
        $0["claims"] = ["x": .string(long + "y")]
      }
      let tooLong = try customToken("alice", at: world.now) {
        $0["claims"] = ["x": .string(long + "yz")]
      }
      await #expect(throws: CustomClaimsError.tooLarge) {
        try await world.signIn(customToken: tooLong)
      }
      let first = try await world.signIn(customToken: fits)
      let custom = String(repeating: "\u{6F22}", count: 992)
      _ = try await world.administer(first.account.uid) {
        $0.customClaims = .set(try CustomClaims(jsonText: "{\"c\":\"\(custom)\"}"))
      }
      let both = try await world.signIn(customToken: fits)
      let claims = try claims(of: both.tokens.idToken)
      #expect(claims["x"] == .string(long + "y"))
      #expect(claims["c"] == .string(custom))
      _ = try await world.currentUser(both.tokens.idToken)
    }
  }

  @Test func `a tenant's token is rejected`() async throws {
    try await with { world in
      let token = try customToken("alice", at: world.now) { $0["tenant_id"] = "t" }
      await #expect(throws: CustomTokenError.tenant) {
        try await world.signIn(customToken: token)
      }
    }
  }

  @Test func `an emulator's unsigned token is accepted only by its own method`() async throws {
    try await with { world in
      let text = #"{"uid":"alice","claims":{"role":"dev"}}"#
      await #expect(throws: AssertionRefusal.token(.segments)) {
        try await world.signIn(customToken: text)
      }
      let signedIn = try await world.accounts.signIn(
        customTokenBelievingAnybody: text, in: world.project, now: world.now)
      #expect(signedIn.isNewUser)
      #expect(try claims(of: signedIn.tokens.idToken)["role"] == "dev")
    }
  }
}

/// A token of the tests' service account, as an Admin SDK writes it.
func customToken(
  _ uid: String, at now: Date, issuer: String = "robot@example.com", key: RSASigningKey? = nil,
  _ change: (inout JSONObject) -> Void = { _ in }
) throws -> String {
  let seconds = Int64(now.timeIntervalSince1970)
  var payload: JSONObject = [
    "iss": .string(issuer), "sub": .string(issuer),
    "aud":
      "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
    "iat": .number(JSONNumber(seconds)), "exp": .number(JSONNumber(seconds + 3600)),
    "uid": .string(uid),
  ]
  change(&payload)
  return try TokenWriter(signer: RS256Signer(key: try key ?? SharedKey.key()))
    .token(payload: payload.serialized())
}

extension World {
  func signIn(customToken: String, in project: Project? = nil) async throws -> SignedIn {
    try await accounts.signIn(customToken: customToken, in: project ?? self.project, now: now)
  }
}
