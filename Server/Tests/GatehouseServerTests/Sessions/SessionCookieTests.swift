import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// The claims of a session cookie, and how long it is valid.
@Suite struct SessionCookieTests {
  private static let hour: Int64 = 3600

  @Test func `a cookie has the ID token's claims, with its own issuer and times`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      world.advance(120)
      let cookie = try await world.cookie(ann, Self.hour)
      var expected = try claims(of: ann.tokens.idToken)
      let issuedAt = try #require(expected["iat"]?.int64)
      expected["iss"] = "https://auth.example.com/test-project/session"
      expected["iat"] = .number(.init(issuedAt + 120))
      expected["exp"] = .number(.init(issuedAt + 120 + Self.hour))
      let actual = try claims(of: cookie)
      #expect(Set(actual.members.map(\.name)) == Set(expected.members.map(\.name)))
      for member in expected.members { #expect(actual[member.name] == member.value) }
    }
  }

  @Test(arguments: [300, 301, 1_209_599, 1_209_600] as [Int64])
  func `lifetimes of five minutes to fourteen days are allowed`(seconds: Int64) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let cookie = try claims(of: try await world.cookie(ann, seconds))
      let lifetime = try #require(cookie["exp"]?.int64) - #require(cookie["iat"]?.int64)
      #expect(lifetime == seconds)
    }
  }

  @Test(arguments: [.min, -300, 0, 299, 1_209_601, .max] as [Int64])
  func `shorter and longer lifetimes are rejected`(seconds: Int64) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      await #expect(throws: AccountsError.invalidDuration) {
        try await world.cookie(ann, seconds)
      }
    }
  }

  @Test func `a cookie is valid until it expires, far longer than the ID token`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let cookie = try await world.cookie(ann, 1_209_600)
      world.advance(1_209_600 + 59)
      let user = try await world.currentUser(ofCookie: cookie)
      #expect(user.account.uid == ann.account.uid)
      #expect(user.session.id == ann.session.id)
      world.advance(1)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(ofCookie: cookie)
      }
    }
  }

  @Test func `a cookie isn't accepted as an ID token, nor the reverse`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let cookie = try await world.cookie(ann)
      await #expect(throws: AccountsError.invalidIDToken) { try await world.currentUser(cookie) }
      await #expect(throws: AccountsError.invalidSessionCookie) {
        try await world.currentUser(ofCookie: ann.tokens.idToken)
      }
      await #expect(throws: AccountsError.invalidIDToken) {
        try await world.accounts.sessionCookie(
          forIDToken: cookie, lifetimeSeconds: Self.hour, in: world.project, now: world.now)
      }
    }
  }

  @Test func `neither ring's key may sign for the other's issuer`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let cookie = try claims(of: try await world.cookie(ann)).serialized()
      let own = TokenWriter(signer: RS256Signer(key: try SharedKey.cookieKey()), type: nil)
      _ = try await world.currentUser(ofCookie: try own.token(payload: cookie))
      let other = TokenWriter(signer: RS256Signer(key: try SharedKey.key()), type: nil)
      await #expect(throws: AccountsError.invalidSessionCookie) {
        try await world.currentUser(ofCookie: try other.token(payload: cookie))
      }
      let idToken = try claims(of: ann.tokens.idToken).serialized()
      await #expect(throws: AccountsError.invalidIDToken) {
        try await world.currentUser(try own.token(payload: idToken))
      }
    }
  }

  @Test func `another project rejects a cookie`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let cookie = try await world.cookie(ann)
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.invalidSessionCookie) {
        try await world.accounts.currentUser(ofSessionCookie: cookie, in: other, now: world.now)
      }
    }
  }

  @Test func `an expired ID token gets no cookie`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(3661)
      await #expect(throws: AccountsError.tokenExpired) { try await world.cookie(ann) }
    }
  }

  /// The events that end an account's sessions.
  enum Ending: CaseIterable {
    case revoked, newPassword, disabled, deleted, madeAnew, reuse

    var refusal: AccountsError {
      switch self {
      case .revoked, .newPassword, .madeAnew, .reuse: .tokenExpired
      case .disabled: .userDisabled
      case .deleted: .userNotFound
      }
    }

    func happen(to ann: SignedIn, in world: World) async throws {
      let uid = ann.account.uid
      switch self {
      case .revoked:
        let now = world.now
        _ = try await world.administer(uid) { $0.validSince = now }
      case .newPassword:
        _ = try await world.administer(uid) { $0.profile.password = .set(Secret("another one")) }
      case .disabled: _ = try await world.administer(uid) { $0.isDisabled = true }
      case .deleted:
        try await world.accounts.deleteAccount(uid, in: world.project, now: world.now)
      case .madeAnew:
        try await world.accounts.deleteAccount(uid, in: world.project, now: world.now)
        _ = try await world.create(uid)
      case .reuse:
        let next = try await world.refresh(ann.tokens.refreshToken).tokens.refreshToken
        _ = try await world.refresh(next)
        world.advance(61)
        _ = try? await world.refresh(ann.tokens.refreshToken)
      }
    }
  }

  @Test(arguments: Ending.allCases)
  func `a cookie ends with its session, whose ID token gets no other`(
    ending: Ending
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let cookie = try await world.cookie(ann)
      world.advance(2)
      _ = try await world.currentUser(ofCookie: cookie)
      try await ending.happen(to: ann, in: world)
      await #expect(throws: ending.refusal) { try await world.currentUser(ofCookie: cookie) }
      await #expect(throws: ending.refusal) { try await world.cookie(ann) }
    }
  }

  @Test func `a cookie doesn't end with another session of its account`() async throws {
    try await withWorld { world in
      let phone = try await world.signIn(identity()).signedIn()
      let browser = try await world.signIn(identity()).signedIn()
      let cookie = try await world.cookie(browser)
      try await Ending.reuse.happen(to: phone, in: world)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(phone.tokens.idToken)
      }
      _ = try await world.currentUser(ofCookie: cookie)
    }
  }
}

extension World {
  fileprivate func cookie(_ signedIn: SignedIn, _ seconds: Int64 = 3600) async throws -> String {
    try await accounts.sessionCookie(
      forIDToken: signedIn.tokens.idToken, lifetimeSeconds: seconds, in: project, now: now)
  }

  fileprivate func currentUser(ofCookie cookie: String) async throws -> CurrentUser {
    try await accounts.currentUser(ofSessionCookie: cookie, in: project, now: now)
  }
}
