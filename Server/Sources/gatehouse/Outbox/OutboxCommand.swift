import ArgumentParser
import GatehouseProtocol

struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Show the work for other servers that waits or was given up, and retry it.",
    discussion: """
      The server stores work for other servers, such as revoking a deleted user's tokens at Apple, \
      with the change that causes it. A background worker attempts each entry until it succeeds. An \
      entry is given up if it can't succeed or its time is over (mostly after two weeks). It stays in \
      the list for thirty days.
      """,
    subcommands: [
      ListOutboxCommand.self, RetryOutboxCommand.self, DropOutboxCommand.self,
    ])
}

/// Whose outbox: that of the server, or of one project.
struct OutboxPlace: ParsableArguments {
  @Option(
    help: "Only entries of this project. Required if the key of --server is one of a project.")
  var project: String?

  @OptionGroup var administration: AdministrationOptions

  static let hint = "`gatehouse outbox list` shows them"

  var path: [String] {
    project.map { ["v2", "projects", $0, "outbox"] } ?? ["v2", "server", "outbox"]
  }

  func entries(
    _ client: AdministrationClient, kind: String? = nil, failed: Bool, _ limit: Int
  ) async throws -> JSONObject {
    try await client.send(
      .get, path,
      query: ["kind": kind, "failed": failed ? "true" : nil, "pageSize": String(limit)])
  }

  static func check(limit: Int) throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 10000")
    }
  }
}

extension JSONObject {
  /// Of an entry of the outbox.
  var attempts: String { String(self["attempts"]?.number?.int64 ?? 0) }
  var nextAttempt: String { self["failed"]?.bool == true ? "failed" : shown("nextAttemptTime") }
  var lastError: String { self["lastError"]?.string?.printable ?? "" }
}

struct ListOutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the entries, oldest first, with their last error.")

  @Flag(help: "Only entries that were given up.")
  var failed = false

  @Option(help: "The maximum number of entries to list, from 1 to 10000.")
  var limit = 100

  @OptionGroup var place: OutboxPlace

  func validate() throws { try OutboxPlace.check(limit: limit) }

  func run() async throws {
    try await place.administration.withClient { client in
      let answer = try await place.entries(client, failed: failed, limit)
      let entries = answer.objects("entries")
      client.say(answer) {
        guard !entries.isEmpty else {
          return Terminal.say(failed ? "No entry failed." : "The outbox is empty.")
        }
        var table = TextTable(
          "ID", "PROJECT", "WORK", "PROVIDER", "CREATED", "ATTEMPTS", "NEXT", "LAST ERROR")
        for entry in entries {
          table.add(
            entry.shown("id"), entry.shown("project"), entry.shown("kind"),
            entry.shown("provider"), entry.shown("createTime"), entry.attempts,
            entry.nextAttempt, entry.lastError)
        }
        table.say()
      }
    }
  }
}

struct RetryOutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Attempt an entry again now, or with --failed every entry that was given up.")

  @Argument(help: "The entry's id, from `gatehouse outbox list`.")
  var id: String?

  @Flag(help: "Every entry that was given up.")
  var failed = false

  @OptionGroup var place: OutboxPlace

  func validate() throws {
    guard (id == nil) == failed else {
      throw ValidationError("give an id or --failed, and not both")
    }
  }

  func run() async throws {
    try await place.administration.withClient { client in
      guard let id else {
        let answer = try await client.send(.post, place.path, verb: "retryFailed", [:])
        return client.say(answer) {
          let count = answer["retried"]?.number?.int64 ?? 0
          Terminal.say("A running server attempts \(count) entries again.")
        }
      }
      let answer = try await client.send(
        .post, place.path + [id], verb: "retry", [:], hint: OutboxPlace.hint)
      client.say(answer) { Terminal.say("A running server attempts \(id) within seconds.") }
    }
  }
}

struct DropOutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Delete an entry without doing its work.",
    discussion: """
      A dropped revocation is never sent: the user's grant stays at the provider, and no one can \
      revoke it here any more.
      """)

  @Argument(help: "The entry's id, from `gatehouse outbox list`.")
  var id: String

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var place: OutboxPlace

  func run() async throws {
    try await place.administration.withClient { client in
      try confirmation.confirm("Delete \(id)? Its work is never done.")
      let answer = try await client.send(
        .delete, place.path + [id], hint: OutboxPlace.hint)
      client.say(answer) { Terminal.say("\(id) is deleted.") }
    }
  }
}
