import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct PendingTokenCodecTests {
  private let codec: PendingTokenCodec
  private let project: ProjectID

  init() throws {
    codec = PendingTokenCodec(try #require(MasterKey([UInt8](repeating: 7, count: 32))))
    project = try #require(ProjectID("test-project"))
  }

  private func full() throws -> ExternalIdentity {
    var full = try identity(
      .named("oidc.example"), "s\u{EB}-1", email: "ann@example.com", .untrusted,
      name: "Zo\u{EB} \u{1F600}", photo: "https://example.com/p")
    full.profile.firstName = "Zo\u{EB}"
    full.profile.lastName = ""
    full.profile.screenName = "zoe"
    full.authenticatedAt = World.start
    full.issuedAt = World.start.addingTimeInterval(-30)
    full.rawUserInfo = #"{"sub":"1"}"#
    full.signInAttributes = SignInAttributes(written: #"{"groups":["a"]}"#)
    full.isPrivateEmail = false
    full.realUserStatus = .unsupported
    full.realUserStatusFromApp = .likelyReal
    full.tokens = .init(
      idToken: Secret("id"), accessToken: Secret("access"), refreshToken: Secret("refresh"))
    return full
  }

  @Test func `a token contains everything but the single use`() throws {
    let sent = try full()
    let token = try codec.token(
      for: sent.once(), verifiedAt: World.start, project: project)
    let read = try codec.identity(in: token, project: project, now: World.start)
    #expect(read.verifiedAt == World.start)
    let got = read.identity
    #expect(got.provider == sent.provider)
    #expect(got.subject == sent.subject)
    #expect(got.email == sent.email)
    #expect(got.profile == sent.profile)
    #expect(got.authenticatedAt == sent.authenticatedAt)
    #expect(got.issuedAt == sent.issuedAt)
    #expect(got.rawUserInfo == sent.rawUserInfo)
    #expect(got.signInAttributes == sent.signInAttributes)
    #expect(got.isPrivateEmail == false)
    #expect(got.realUserStatus == .unsupported)
    #expect(got.realUserStatusFromApp == .likelyReal)
    #expect(got.tokens.idToken?.reveal() == "id")
    #expect(got.tokens.accessToken?.reveal() == "access")
    #expect(got.tokens.refreshToken?.reveal() == "refresh")
    #expect(got.use == .unlimited)
  }

  @Test func `a token is base64url without padding, and encrypted`() throws {
    let token = try codec.token(
      for: full(), verifiedAt: World.start, project: project)
    #expect(token.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
    let bytes = try #require(
      Data(
        base64Encoded: token.replacing("-", with: "+").replacing("_", with: "/")
          + String(repeating: "=", count: (4 - token.utf8.count % 4) % 4)))
    #expect(bytes.range(of: Data("ann@example.com".utf8)) == nil)
  }

  @Test func `two tokens of one identity differ`() throws {
    let identity = try full()
    let first = try codec.token(for: identity, verifiedAt: World.start, project: project)
    let second = try codec.token(for: identity, verifiedAt: World.start, project: project)
    #expect(first != second)
  }

  @Test func `a token from the future is rejected`() throws {
    let token = try codec.token(
      for: full(), verifiedAt: World.start.addingTimeInterval(2),
      project: project)
    #expect(throws: AccountsError.invalidPendingToken) {
      try codec.identity(in: token, project: project, now: World.start)
    }
  }

  @Test func `every truncated token is rejected`() throws {
    let token = try codec.token(
      for: identity(), verifiedAt: World.start, project: project)
    for count in stride(from: 0, to: token.utf8.count, by: 3) {
      #expect(throws: AccountsError.invalidPendingToken) {
        try codec.identity(in: String(token.prefix(count)), project: project, now: World.start)
      }
    }
  }

  @Test(arguments: ["", "=", "%%%", "AAAA", "\u{0}", "\u{1F600}"])
  func `a text that is no token is rejected`(text: String) {
    #expect(throws: AccountsError.invalidPendingToken) {
      try codec.identity(in: text, project: project, now: World.start)
    }
  }

  @Test func `a very long text is rejected`() {
    #expect(throws: AccountsError.invalidPendingToken) {
      try codec.identity(
        in: String(repeating: "A", count: 1_000_000), project: project, now: World.start)
    }
  }
}
