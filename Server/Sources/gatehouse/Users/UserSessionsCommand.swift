import ArgumentParser
import Foundation
import GatehouseServer
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
    let ids = try end.map { text in
      guard let id = SessionID(text) else {
        throw CommandFailure("“\(text)” is not the id of a session")
      }
      return id
    }
    try await user.withAccount { accounts, project, account in
      guard ids.isEmpty && !endAll else {
        let count = try await accounts.endSessions(
          endAll ? nil : ids, of: account.uid, in: project, now: Date())
        return Terminal.say("\(count) sessions are ended.")
      }
      let sessions = try await accounts.sessions(of: account.uid, in: project)
      guard !sessions.isEmpty else {
        return Terminal.say("\(account.uid) is not signed in.".printable)
      }
      var table = TextTable(
        "SESSION", "SIGNED IN", "LAST USED", "BY", "NAME", "APP", "USER AGENT", "ADDRESS")
      for session in sessions {
        table.add(
          session.id.description, session.createdAt.formatted(.iso8601),
          session.lastUsedAt.formatted(.iso8601), session.provider.text,
          (session.device?.name ?? "").printable, (session.device?.app ?? "").printable,
          (session.device?.userAgent ?? "").printable, session.device?.address ?? "")
      }
      table.say()
    }
  }
}
