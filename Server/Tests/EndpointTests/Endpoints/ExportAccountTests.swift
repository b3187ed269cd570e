import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import HTTPTypes
import Testing

@Suite struct ExportAccountTests {
  private func signUp(_ server: TestServer) async throws -> TestReply {
    try await server.call(
      .accounts("signUp", ["email": "ada@example.com", "password": "secret1"]))
  }

  @Test func `a GET with the ID token as bearer token gives the document`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      var request = TestRequest("/v1/accounts:export")
      request.method = .get
      request.bearer = ada["idToken"]?.string
      let reply = try await server.call(request)
      #expect(reply.status == 200)
      #expect(reply["format"] == "gatehouse-account/1")
      #expect(reply["account"]?["id"] == ada["localId"])
      #expect(reply["account"]?["email"] == "ada@example.com")
      #expect(reply["account"]?["hasPassword"] == true)
      #expect(reply["sessions"]?.array?.count == 1)
      #expect(
        reply.headers[.contentDisposition] == "attachment; filename=\"account.json\"")
      #expect(reply.headers[.cacheControl]?.contains("no-store") == true)
    }
  }

  @Test func `a POST with idToken gives the same`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      let reply = try await server.call(
        .accounts("export", ["idToken": ada["idToken"] ?? .null]))
      #expect(reply["account"]?["id"] == ada["localId"])
    }
  }

  @Test func `an administrator exports any account`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      var request = TestRequest.admin(.get, "v1/projects/demo/accounts:export")
      request.query = "localId=\(ada["localId"]?.string ?? "")"
      #expect(try await server.call(request)["account"]?["email"] == "ada@example.com")
    }
  }

  @Test func `an administrator's token is no user's`() async throws {
    try await TestServer.with { server in
      var request = TestRequest("/v1/accounts:export")
      request.method = .get
      request.bearer = "owner"
      let reply = try await server.call(request)
      #expect(reply.status == 400)
      #expect(reply.error == "INVALID_ID_TOKEN")
    }
  }

  @Test func `without an API key the request is refused`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      var request = TestRequest("/v1/accounts:export")
      request.method = .get
      request.key = nil
      request.bearer = ada["idToken"]?.string
      #expect(try await server.call(request).status == 403)
    }
  }

  @Test func `without an ID token the request is refused`() async throws {
    try await TestServer.with { server in
      var request = TestRequest("/v1/accounts:export")
      request.method = .get
      let reply = try await server.call(request)
      #expect(reply.error == "MISSING_ID_TOKEN")
      let post = try await server.call(.accounts("export"))
      #expect(post.error == "MISSING_ID_TOKEN")
    }
  }

  @Test func `an old sign-in is refused`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      server.clock.advance(seconds: 400)
      let reply = try await server.call(
        .accounts("export", ["idToken": ada["idToken"] ?? .null]))
      #expect(reply.error == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }

  /// Fails when a field is added to an account or an identity, and the export doesn't contain it.
  @Test func `every stored field of an account and its identities is in the document`()
    async throws
  {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      let uid = try #require(ada["localId"]?.string.flatMap { UID($0) })
      let project = try #require(ProjectID(TestServer.project))
      try await server.store.write { transaction in
        guard var account = try transaction.account(uid, in: project) else { return }
        Self.fill(&account)
        try transaction.save(account, in: project)
      }
      var request = TestRequest.admin(.get, "v1/projects/demo/accounts:export")
      request.query = "localId=\(uid)"
      let reply = try await server.call(request)
      let account = try #require(reply["account"]?.object)
      let identities = (reply["identities"]?.array ?? []).compactMap(\.object)
      #expect(identities.count == 2)
      let renamed = [
        "uid": "id", "photoURL": "photoUrl", "isEmailVerified": "emailVerified",
        "password": "hasPassword", "assignedFields": "setByAdministrator",
      ]
      for field in Self.fields(of: Account(uid: uid, createdAt: .now))
      where !["identities", "passkeys", "secondFactors"].contains(field) {
        #expect(account[renamed[field] ?? field] != nil, "\(field) isn't exported")
      }
      let linked = LinkedIdentity(
        provider: .google, subject: try #require(Subject("g")), linkedAt: .now)
      for field in Self.fields(of: linked) {
        let name = renamed[field] ?? field
        #expect(identities.contains { $0[name] != nil }, "\(field) isn't exported")
      }
    }
  }

  private static func fields(of value: Any) -> [String] {
    Mirror(reflecting: value).children.compactMap(\.label)
  }

  private static func fill(_ account: inout Account) {
    let time = TestServer.start
    account.isEmailVerified = true
    account.emailVerifiedAt = time
    account.displayName = "Ada"
    account.photoURL = "https://example.com/ada.png"
    account.phoneNumber = "+15555550100"
    account.phoneLinkedAt = time
    account.phoneUnconfirmedSince = time
    account.passwordUpdatedAt = time
    account.customClaims = try? CustomClaims(jsonText: "{\"role\":\"editor\"}")
    account.lastLoginAt = time
    account.lastRefreshAt = time
    account.language = "de"
    account.initialEmail = account.email
    account.importedAt = time
    account.revokedAt = time
    account.deletionScheduledFor = time
    guard let subject = Subject("g-ada") else { return }
    var identity = LinkedIdentity(provider: .google, subject: subject, linkedAt: time)
    identity.issuer = "https://accounts.google.com"
    identity.unconfirmedSince = time
    identity.email = account.email
    identity.displayName = "Ada"
    identity.photoURL = "https://example.com/ada.png"
    identity.screenName = "ada"
    identity.isPrivateEmail = false
    identity.realUserStatus = .likelyReal
    identity.revocationRequestedAt = time
    identity.isForwardingDisabled = true
    identity.forwardingChangedAt = time
    identity.consentRevokedAt = time
    // An identity has either a signed status or the app's.
    var other = LinkedIdentity(provider: .apple, subject: subject, linkedAt: time)
    other.realUserStatusFromApp = .unknown
    account.identities = [identity, other]
  }
}
