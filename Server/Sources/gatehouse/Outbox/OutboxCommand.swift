import ArgumentParser
import Foundation
import GatehouseServer
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

struct ListOutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the entries, oldest first, with their last error.")

  @Option(help: "Only entries of this project.")
  var project: String?

  @Flag(help: "Only entries that were given up.")
  var failed = false

  @Option(help: "The maximum number of entries to list.")
  var limit = 100

  @OptionGroup var data: DataOptions

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 10000")
    }
  }

  func run() async throws {
    let project = try project.map { text in
      guard let id = ProjectID(text) else { throw CommandFailure("“\(text)” is not a project id") }
      return id
    }
    try await data.withDatabase { database in
      let filter = OutboxFilter(project: project, onlyFailed: failed)
      let limit = limit
      let entries = try await database.store.read { try $0.outboxEntries(filter, limit: limit) }
      guard !entries.isEmpty else {
        Terminal.say(failed ? "No entry failed." : "The outbox is empty.")
        return
      }
      var table = TextTable(
        "ID", "PROJECT", "WORK", "PROVIDER", "CREATED", "ATTEMPTS", "NEXT", "LAST ERROR")
      for entry in entries {
        table.add(
          entry.id.text, entry.project.text, entry.task.kind.rawValue,
          entry.task.provider?.text ?? "",
          entry.createdAt.formatted(.iso8601), String(entry.attempts),
          entry.failedAt == nil ? entry.dueAt.formatted(.iso8601) : "failed",
          entry.lastError ?? "")
      }
      table.say()
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

  @OptionGroup var data: DataOptions

  func validate() throws {
    guard (id == nil) == failed else {
      throw ValidationError("give an id or --failed, and not both")
    }
  }

  func run() async throws {
    let id = try id.map { try OutboxID(checking: $0) }
    try await data.withDatabase { database in
      let outbox = Outbox(store: database.store)
      if let id {
        guard try await outbox.retry(id, now: Date()) else { throw OutboxID.unknown(id) }
        Terminal.say("A running server attempts \(id) within seconds.")
      } else {
        let count = try await outbox.retryFailed(now: Date())
        Terminal.say("A running server attempts \(count) entries again.")
      }
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

  @OptionGroup var data: DataOptions

  func run() async throws {
    let id = try OutboxID(checking: id)
    try await data.withDatabase { database in
      guard try await Outbox(store: database.store).drop(id) else { throw OutboxID.unknown(id) }
      Terminal.say("\(id) is deleted.")
    }
  }
}

extension OutboxID {
  init(checking text: String) throws {
    guard let id = OutboxID(text) else {
      throw CommandFailure("“\(text)” is not the id of an entry")
    }
    self = id
  }

  static func unknown(_ id: OutboxID) -> CommandFailure {
    CommandFailure("there is no entry \(id); `gatehouse outbox list` shows them")
  }
}
