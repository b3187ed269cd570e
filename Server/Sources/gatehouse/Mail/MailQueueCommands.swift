import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct MailQueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "List the emails that wait or were given up, oldest first.",
    discussion: """
      An email is given up if the mail server refuses it permanently, or if it expires before it \
      could be sent. It stays in the list for thirty days.
      """)

  @Flag(help: "Only emails that were given up.")
  var failed = false

  @Option(help: "The maximum number of emails to list.")
  var limit = 100

  @OptionGroup var data: DataOptions

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 10000")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      var filter = OutboxFilter(onlyFailed: failed)
      filter.kind = .sendMail
      let (wanted, limit) = (filter, limit)
      let entries = try await database.store.read { try $0.outboxEntries(wanted, limit: limit) }
      var table = TextTable(
        "ID", "PROJECT", "EMAIL", "TO", "CREATED", "ATTEMPTS", "NEXT", "LAST ERROR")
      for entry in entries {
        guard case .sendMail(let task) = entry.task, !task.isVoid else { continue }
        table.add(
          entry.id.text, entry.project.text, task.kind.rawValue, task.recipient.text,
          entry.createdAt.formatted(.iso8601), String(entry.attempts),
          entry.failedAt == nil ? entry.dueAt.formatted(.iso8601) : "failed",
          entry.lastError ?? "")
      }
      guard !table.isEmpty else {
        return Terminal.say(failed ? "No email failed." : "No email waits.")
      }
      table.say()
    }
  }
}

struct RetryMailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Try again to send an email that waits or was given up, unless it has expired.")

  @Argument(help: "The email's id, from `gatehouse mail queue`.")
  var id: String

  @OptionGroup var data: DataOptions

  func run() async throws {
    let id = try OutboxID(checking: id)
    try await data.withDatabase { database in
      guard try await Outbox(store: database.store).retry(id, now: Date()) else {
        throw OutboxID.unknown(id)
      }
      Terminal.say("A running server sends \(id) within seconds.")
    }
  }
}
