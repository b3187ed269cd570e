import ArgumentParser
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

  @Option(help: "The maximum number of emails to list, from 1 to 10000.")
  var limit = 100

  @OptionGroup var place: OutboxPlace

  func validate() throws { try OutboxPlace.check(limit: limit) }

  func run() async throws {
    try await place.administration.withClient { client in
      let answer = try await place.entries(client, kind: "send-mail", failed: failed, limit)
      client.say(answer) {
        var table = TextTable(
          "ID", "PROJECT", "EMAIL", "TO", "CREATED", "ATTEMPTS", "NEXT", "LAST ERROR")
        for entry in answer.objects("entries") {
          table.add(
            entry.shown("id"), entry.shown("project"), entry.shown("emailKind"),
            entry.shown("recipient"), entry.shown("createTime"), entry.attempts,
            entry.nextAttempt, entry.lastError)
        }
        guard !table.isEmpty else {
          return Terminal.say(failed ? "No email failed." : "No email waits.")
        }
        table.say()
      }
    }
  }
}

struct RetryMailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Try again to send an email that waits or was given up, unless it has expired.")

  @Argument(help: "The email's id, from `gatehouse mail queue`.")
  var id: String

  @OptionGroup var place: OutboxPlace

  func run() async throws {
    try await place.administration.withClient { client in
      let answer = try await client.send(
        .post, place.path + [id], verb: "retry", [:], hint: "`gatehouse mail queue` shows them")
      client.say(answer) { Terminal.say("A running server sends \(id) within seconds.") }
    }
  }
}
