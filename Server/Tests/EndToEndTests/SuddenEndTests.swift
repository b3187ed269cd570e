import Foundation
import Testing

/// `kill -9` at any moment of an exchange, a deletion and a revocation.
@Suite struct SuddenEndTests {
  /// When the server is killed in a round: after this many requests to this path of Apple, counted over
  /// all users of the round.
  private static let moments: [(path: String, count: Int)] = [
    ("token", 1), ("token", 3), ("token", 5), ("revoke", 1), ("revoke", 3), ("revoke", 5),
  ]
  private static let usersPerRound = 5

  @Test func `whenever the server is killed, an account is whole, or erased and revoked at Apple`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      // A separate simulator keeps its state when the server is killed.
      let simulator = try ChildProcess(
        try Binary.path(), ["simulate", "--port", "0"], folder: folder)
      defer { simulator.kill() }
      let line = "Simulator listens on "
      let isListening = try await Deadline.wait {
        simulator.output.contains(line) && simulator.output.hasSuffix("\n")
      }
      try #require(isListening)
      let apple = SimulatedProviders(
        baseURL: String(simulator.output.split(separator: "\n").first?.dropFirst(line.count) ?? ""))
      let options = GatehouseServer.Options(
        arguments: ["--set", "providers.baseURL=\(apple.baseURL)"],
        // An outbox entry's lease is ten times as long, and at least a minute.
        environment: ["GATEHOUSE_OUTBOUND_SECONDS": "5"])
      var users: [User] = []
      for moment in Self.moments {
        let before = try await Self.requests(to: moment.path, apple)
        let server = try await GatehouseServer.start(options, in: folder)
        try await withThrowingTaskGroup(of: User.self) { group in
          for _ in 0..<Self.usersPerRound {
            group.addTask { try await Self.live(at: apple, with: server) }
          }
          _ = try await Deadline.wait(seconds: 60) {
            try await Self.requests(to: moment.path, apple) >= before + moment.count
          }
          try await server.killHard()
          for try await user in group { users.append(user) }
        }
      }
      let server = try await GatehouseServer.start(options, in: folder)
      defer { server.process.kill() }
      // A killed worker's entries are taken over when its lease ends.
      let isDone = try await Deadline.wait {
        try await Command.run(
          ["outbox", "list", "--data", folder.path + "/data"], in: folder
        ).lines.allSatisfy { !$0.contains("revoke ") }
      }
      #expect(isDone)
      for user in users {
        let reply = try await server.app.lookup(user.idToken ?? "")
        switch (user.idToken, reply.verdict) {
        case (nil, _): continue
        case (_, "200"): #expect(!user.isDeleted)
        case (_, "400 USER_NOT_FOUND"):
          guard user.isKept else { continue }
          #expect(try await apple.appleCredentialState(user.id) == "revoked")
        default: Issue.record("\(reply.verdict)")
        }
      }
    }
  }

  private static func requests(
    to path: String, _ apple: SimulatedProviders
  ) async throws -> Int {
    let reply = try await HTTP.get("\(apple.baseURL)/simulator/requests")
    return Int(reply.json["counts"]["/apple/auth/\(path)"].number ?? 0)
  }

  private struct User: Sendable {
    let id: String
    var idToken: String?
    /// The server had exchanged the code when the user deleted the account.
    var isKept = false
    /// The server confirmed the deletion.
    var isDeleted = false
  }

  /// Signs in, and deletes the account as soon as its code is exchanged, until the server is killed.
  private static func live(
    at apple: SimulatedProviders, with server: GatehouseServer
  ) async throws -> User {
    let sheet = try await apple.apple(try await apple.person())
    var user = User(id: sheet.user)
    do {
      let reply = try await server.app.signInWithIdp(
        postBody: sheet.credential.postBody + "&code=" + Form.escape(sheet.authorizationCode))
      guard let idToken = reply.json["idToken"].string else { return user }
      user.idToken = idToken
      user.isKept = try await Deadline.wait {
        try await server.app.lookup(idToken)
          .json["users"][0]["providerUserInfo"][0]["revokedOnDeletion"] == true
      }
      user.isDeleted =
        try await server.app.call("delete", ["idToken": .string(idToken)]).verdict == "200"
    } catch {
      // The connection broke: the server is dead.
    }
    return user
  }
}
