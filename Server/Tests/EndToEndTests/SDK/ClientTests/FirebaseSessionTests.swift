import Foundation
import Testing

@testable import GatehouseClient

/// A user of the app's version with Google's SDK updates the app: the SDK, the real server, and the
/// simulator in Google's place.
@Suite struct FirebaseSessionTests {
  @Test func `a user who was imported stays signed in, until Google or this server says otherwise`()
    async throws
  {
    try await withServer { server, folder in
      let phone = try await Phone(server)
      // Before the server accepts sessions of Firebase, nobody is signed out.
      let refusal = await #expect(throws: ClientError.self) { try await phone.user.idToken() }
      let isNotAllowed =
        if case .server(let found)? = refusal { found.code == "OPERATION_NOT_ALLOWED" } else {
          false
        }
      #expect(isNotAllowed)
      try await accept(server, folder)

      let token = try await phone.user.idToken()
      #expect(token.claims["sub"]?.string == phone.uid)
      #expect(phone.items.isEmpty)
      // The sign-in is as old as it was at Firebase.
      #expect(Date().timeIntervalSince(token.authenticatedAt) > 86_000)
      _ = try await phone.user.idToken(forcingRefresh: true)
      _ = try await phone.user.reload()

      // The user's other device, whose token was used: Google issues another one.
      let tablet = try await Phone(server, uid: phone.uid, age: 90_000, isTraded: true)
      _ = try await tablet.user.idToken()

      // A third one, whose session Firebase has ended.
      let lost = try await Phone(server, uid: phone.uid, age: 100_000, isTraded: true)
      _ = try await HTTP.post(
        "\(server.simulatorURL)/simulator/google/firebase-sessions/revoke",
        ["uid": .string(phone.uid)])
      await #expect(throws: ClientError.sessionEnded(.revoked)) { try await lost.user.idToken() }
      #expect(lost.client.state == .signedOut)
      // The sessions that were traded before go on.
      _ = try await phone.user.idToken(forcingRefresh: true)
    }
  }

  @Test func `a session at Firebase ends with the sessions of the account`() async throws {
    try await withServer { server, folder in
      try await accept(server, folder)
      let phone = try await Phone(server)
      let tablet = try await Phone(server, uid: phone.uid, age: 90_000)
      _ = try await phone.user.idToken()
      let revoked = try await Command.run(
        ["users", "revoke", phone.uid, "--data", folder.path + "/data"], in: folder)
      #expect(revoked.status == 0, "\(revoked.errors)")
      await #expect(throws: ClientError.sessionEnded(.revoked)) { try await tablet.user.idToken() }
      #expect(tablet.items.isEmpty)
    }
  }

  private func accept(_ server: GatehouseServer, _ folder: TemporaryFolder) async throws {
    let set = try await Command.run(
      [
        "projects", "set", "demo", "--firebase-project", "old-app", "--until", "2099-12-31",
        "--data", folder.path + "/data",
      ], in: folder)
    #expect(set.status == 0, "\(set.errors)")
    // A running server applies a change within a second.
    let isAccepting = try await Deadline.wait {
      let reply = try await HTTP.post(
        "\(server.baseURL)/v1/accounts:signInWithFirebaseToken?key=any", ["token": "none"])
      return reply.verdict == "400 INVALID_ID_TOKEN"
    }
    #expect(isAccepting)
  }
}

/// A device on which Google's SDK left a user signed in.
private struct Phone {
  let uid: String
  let items: LeftByGoogle
  let client: AuthClient
  let user: SignedInUser

  /// - Parameters:
  ///   - uid: A user who was imported before; nil: a new one, who is.
  ///   - age: How long ago the user signed in at Firebase, in seconds. Tokens of one second and one age are
  ///     alike, so each device has its own.
  ///   - isTraded: Whether the held ID token was used.
  init(
    _ server: GatehouseServer, uid known: String? = nil, age: Int = 86_400, isTraded: Bool = false
  ) async throws {
    let uid = known ?? "firebase-\(UUID().uuidString)"
    if known == nil {
      let imported = try await server.administrator.call(
        .post, "accounts:batchCreate",
        [
          "users": [
            [
              "localId": .string(uid), "email": .string(Unique.email()),
              "createdAt": "1700000000000", "validSince": "1700000000",
            ]
          ]
        ])
      guard imported.status == 200 else { throw Unexpected(imported) }
    }
    let session = try await HTTP.post(
      "\(server.simulatorURL)/simulator/google/firebase-sessions",
      [
        "project": "old-app", "api_key": "old-key", "uid": .string(uid),
        "age": .number(Double(age)),
      ])
    guard let idToken = session.json["idToken"].string,
      let refreshToken = session.json["refreshToken"].string
    else { throw Unexpected(session) }
    if isTraded {
      let traded = try await HTTP.post(
        "\(server.baseURL)/v1/accounts:signInWithFirebaseToken?key=any", ["token": .string(idToken)]
      )
      guard traded.status == 200 else { throw Unexpected(traded) }
    }
    self.uid = uid
    items = LeftByGoogle(uid: uid, idToken: idToken, refreshToken: refreshToken)
    var configuration = try ClientConfiguration(
      serverURL: try #require(URL(string: server.baseURL)), apiKey: "any", projectID: "demo")
    var former = FormerFirebaseApp(googleAppID: "1:2:ios:3", apiKey: "old-key")
    former.tokenServer = URL(string: "\(server.simulatorURL)/google")
    configuration.formerFirebaseApp = former
    client = AuthClient(
      configuration: configuration, store: MemoryStore(), transport: URLSessionTransport(),
      clock: SystemClock(), notifications: nil, firebaseItems: items)
    user = try #require(client.currentUser)
  }
}
