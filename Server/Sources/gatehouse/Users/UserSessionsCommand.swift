import ArgumentParser
import GatehouseProtocol

struct UserSessionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "List the devices on which an account is signed in, or end sessions.",
    discussion: """
      The server rejects the ID tokens of an ended session at once. A back end that verifies tokens \
      by itself accepts them until they expire, for an hour at most. An Admin SDK that checks \
      for revocation rejects them at once only after `gatehouse users revoke`.

      If you end a session, the account's codes for another address become invalid, too.
      """)

  @Option(help: "End the session with this id. May be repeated.")
  var end: [String] = []

  @Flag(help: "End every session.")
  var endAll = false

  @OptionGroup var user: UserArgument

  func validate() throws {
    if endAll && !end.isEmpty { throw ValidationError("give --end or --end-all") }
  }

  func run() async throws {
    try await user.withUser { found in
      guard end.isEmpty && !endAll else { return try await self.end(of: found) }
      let answer = try await found.project.accounts(
        "sessions", method: .get, query: ["localId": found.uid])
      found.project.say(answer) { list(answer.objects("sessions"), of: found) }
    }
  }

  private func end(of found: UserClient) async throws {
    let requests: [JSONObject] =
      endAll ? [["others": true]] : end.map { ["sessionId": .string($0)] }
    var ended: Int64 = 0
    for request in requests {
      var body = request
      body["localId"] = .string(found.uid)
      let answer = try await found.project.accounts("endSession", body)
      ended += answer["ended"]?.number?.int64 ?? 0
    }
    found.project.say(["ended": .number(JSONNumber(ended))]) {
      Terminal.say("\(ended) sessions are ended.")
    }
  }

  private func list(_ sessions: [JSONObject], of found: UserClient) {
    guard !sessions.isEmpty else { return Terminal.say("\(found.shownUID) is not signed in.") }
    var table = TextTable(
      "SESSION", "SIGNED IN", "LAST USED", "BY", "NAME", "APP", "USER AGENT", "ADDRESS")
    for session in sessions {
      table.add(
        session.shown("sessionId"), session.time("createdAt") ?? "-",
        session.time("lastUsedAt") ?? "-", session.shown("signInProvider"),
        session.shown("name"), session.shown("app"), session.shown("userAgent"),
        session.shown("address"))
    }
    table.say()
  }
}
