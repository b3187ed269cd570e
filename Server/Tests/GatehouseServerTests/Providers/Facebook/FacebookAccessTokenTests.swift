import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct FacebookAccessTokenTests {
  @Test func `an access token signs in the user whom Facebook returns`() async throws {
    let facebook = try FacebookStub()
    let identity = try await facebook.signIn()
    #expect(identity.provider == .facebook)
    #expect(identity.subject.text == FacebookStub.userID)
    #expect(
      identity.profile
        == .init(
          displayName: "Ada Lovelace", firstName: "Ada", lastName: "Lovelace",
          photoURL: "https://graph.facebook.com/\(FacebookStub.userID)/picture"))
    #expect(identity.tokens.accessToken?.reveal() == FacebookStub.accessToken)
    #expect(identity.tokens.idToken == nil)
    #expect(identity.use == .unlimited)
  }

  @Test func `the raw user info is the Graph API's, with the granted permissions`() async throws {
    let facebook = try FacebookStub()
    let raw = try JSONObject(parsing: try await facebook.signIn().rawUserInfo)
    #expect(
      raw == [
        "name": "Ada Lovelace", "last_name": "Lovelace",
        "granted_scopes": ["email", "public_profile"], "id": .string(FacebookStub.userID),
        "first_name": "Ada", "email": "ada@example.com",
        "picture": [
          "data": [
            "url": "https://example.com/ada.jpg", "height": 50, "width": 50,
            "is_silhouette": false,
          ]
        ],
      ])
  }

  @Test(arguments: EmailTrust.allCases)
  func `Facebook verifies no email, whatever is trusted`(_ trust: EmailTrust) async throws {
    let facebook = try FacebookStub()
    var configuration = FacebookStub.configuration
    configuration.trustEmail = trust
    let email = try #require(try await facebook.signIn(for: configuration).email)
    #expect(email == AssertedEmail(address: email.address, isVerified: false, isTrusted: false))
  }

  @Test func `our app authenticates in headers, and no URL contains a token`() async throws {
    let facebook = try FacebookStub()
    _ = try await facebook.signIn()
    let requests = facebook.provider.transport.requests
    #expect(requests.map(\.url.text) == [FacebookStub.inspection, FacebookStub.profile])
    #expect(
      requests.map { $0.authorization?.reveal() } == [
        "Bearer \(FacebookStub.appID)|\(FacebookStub.appSecret)",
        "Bearer \(FacebookStub.accessToken)",
      ])
    let queries = requests.map { $0.query.map { "\($0.name)=\($0.value.reveal())" } }
    #expect(
      queries == [
        ["input_token=\(FacebookStub.accessToken)"],
        [
          "fields=id,name,email,first_name,last_name,picture",
          "appsecret_proof=\(FacebookStub.proof(of: FacebookStub.accessToken))",
        ],
      ])
    #expect(!"\(requests)".contains(FacebookStub.accessToken))
    #expect(!"\(requests)".contains(FacebookStub.appSecret))
  }

  @Test(
    arguments: [
      (["app_id": "1234567891"], .otherApp),
      (["app_id": "12345678900"], .otherApp),
      (["app_id": "01234567890"], .otherApp),
      (["app_id": "\u{FF11}234567890"], .unreadable),
      (["app_id": .null], .unreadable),
      (["type": "APP"], .notOfPerson),
      (["type": "PAGE"], .notOfPerson),
      (["type": "user"], .notOfPerson),
      (["type": .null], .notOfPerson),
      (["is_valid": false], .unreadable),
      (["is_valid": "true"], .unreadable),
      (["is_valid": 1], .unreadable),
      (["is_valid": .null], .unreadable),
      (
        ["is_valid": false, "error": ["code": 190, "message": "Malformed access token"]],
        .refused(GraphComplaint(code: 190, message: "Malformed access token"))
      ),
      (["expires_at": 1_799_999_940], .expired),
      (["expires_at": "never"], .unreadable),
      (["expires_at": .number(JSONNumber(1e30) ?? JSONNumber(0))], .unreadable),
      (["data_access_expires_at": 1_799_999_940], .dataAccessExpired),
      (["user_id": .null], .unreadable),
      (["user_id": ""], .unreadable),
      (["user_id": "me"], .unreadable),
      (["user_id": "1\u{0}2"], .unreadable),
      (["user_id": -5], .unreadable),
    ] as [(JSONObject, AccessTokenFault)])
  func `Facebook's statement about a token decides`(
    _ changes: JSONObject, _ fault: AccessTokenFault
  ) async throws {
    let facebook = try FacebookStub()
    facebook.inspect(changes)
    await #expect(throws: FederationError.accessToken(fault)) { try await facebook.signIn() }
    // Its user isn't fetched, because the token isn't accepted.
    #expect(facebook.provider.transport.count(FacebookStub.profile) == 0)
  }

  @Test(
    arguments: [
      ["expires_at": 0], ["expires_at": .null], ["expires_at": 1_799_999_941],
      ["data_access_expires_at": 0], ["data_access_expires_at": .null],
      ["app_id": 1_234_567_890, "user_id": 10_158_000_000_000_001],
    ] as [JSONObject])
  func `times may be absent or 0, identifiers may be numbers`(_ changes: JSONObject) async throws {
    let facebook = try FacebookStub()
    facebook.inspect(changes)
    #expect(try await facebook.signIn().subject.text == FacebookStub.userID)
  }

  @Test(arguments: ["10158000000000002", "010158000000000001", ""])
  func `a profile of another user is refused`(_ id: String) async throws {
    let facebook = try FacebookStub()
    var person = FacebookStub.person
    person["id"] = .string(id)
    facebook.provider.transport.on(FacebookStub.profile, person)
    await #expect(throws: FederationError.otherSubject) { try await facebook.signIn() }
  }

  @Test func `a user who shares only an id can sign in`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(FacebookStub.profile, ["id": .string(FacebookStub.userID)])
    let identity = try await facebook.signIn()
    #expect(identity.profile == .init())
    #expect(identity.email == nil)
  }

  @Test func `Facebook's error about an inspection is repeated unchanged`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(
      FacebookStub.inspection, status: 400,
      [
        "error": [
          "message": "Invalid OAuth access token signature.", "type": "OAuthException",
          "code": 190, "fbtrace_id": "x",
        ]
      ])
    await #expect(
      throws: FederationError.inspectionRefused(
        GraphComplaint(code: 190, message: "Invalid OAuth access token signature."))
    ) { try await facebook.signIn() }
  }

  @Test func `an error of the profile is an error of the token`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(
      FacebookStub.profile, status: 401,
      ["error": ["message": "Session expired", "code": 190, "error_subcode": 463]])
    await #expect(
      throws: FederationError.accessToken(
        .refused(GraphComplaint(code: 190, subcode: 463, message: "Session expired")))
    ) { try await facebook.signIn() }
  }

  @Test func `a long message is cut`() async throws {
    let facebook = try FacebookStub()
    let message = String(repeating: "m", count: 100_000)
    facebook.provider.transport.on(
      FacebookStub.inspection, status: 400, ["error": ["message": .string(message)]])
    await #expect(
      throws: FederationError.inspectionRefused(
        GraphComplaint(code: nil, message: String(message.prefix(256))))
    ) { try await facebook.signIn() }
  }

  @Test(arguments: [(302, ""), (500, "<html>"), (200, "[]"), (200, #"{"data":{},"data":{}}"#)])
  func `a response that isn't the Graph API's is refused`(
    _ status: Int, _ body: String
  ) async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(FacebookStub.inspection, status: status, Array(body.utf8))
    await #expect(throws: FederationError.refusedByProvider(status: status, error: nil)) {
      try await facebook.signIn()
    }
  }

  @Test func `an unreachable Facebook is reported as unreachable`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(FacebookStub.profile) { _ throws(OutboundError) in
      throw .timedOut(host: "graph.facebook.com")
    }
    await #expect(
      throws: FederationError.unreachable(.outbound(.timedOut(host: "graph.facebook.com")))
    ) { try await facebook.signIn() }
  }

  @Test(arguments: ["a b", "a\r\nx-injected: 1", "caf\u{e9}", String(repeating: "a", count: 4097)])
  func `a token that a header can't contain isn't sent`(_ token: String) async throws {
    let facebook = try FacebookStub()
    await #expect(throws: FederationError.accessToken(.unreadable)) {
      try await facebook.signIn(token)
    }
    #expect(facebook.provider.transport.requests.isEmpty)
  }

  @Test func `without an app secret access tokens are refused without a request`() async throws {
    let facebook = try FacebookStub()
    var configuration = FacebookStub.configuration
    configuration.clientSecret = nil
    await #expect(
      throws: FederationError.incompleteConfiguration(provider: .facebook, setting: "clientSecret")
    ) { try await facebook.signIn(for: configuration) }
    #expect(facebook.provider.transport.requests.isEmpty)
  }

  @Test func `an access token is refused if a nonce is required or sent`() async throws {
    let facebook = try FacebookStub()
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await facebook.signIn(nonce: "raw")
    }
    var configuration = FacebookStub.configuration
    configuration.requiresNonce = true
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await facebook.signIn(for: configuration)
    }
  }

  @Test func `questions about an access token count as calls of the project`() async throws {
    let facebook = try FacebookStub()
    var configuration = FacebookStub.configuration
    configuration.project = try #require(ProjectID("a-project"))
    _ = try await facebook.signIn(for: configuration)
    let projects = facebook.provider.transport.requests.map(\.project)
    #expect(projects == [configuration.project, configuration.project])
  }
}
