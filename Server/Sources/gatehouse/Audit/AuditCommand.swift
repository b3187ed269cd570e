import ArgumentParser
import GatehouseProtocol
import GatehouseServer

struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show, verify and export the event log.",
    discussion: """
      The server records what happened to accounts and settings, when, and who caused it. Each \
      project's log is a chain of digests with signed checkpoints, so that a change of the log is \
      detected.
      """,
    subcommands: [
      ListEventsCommand.self, VerifyEventsCommand.self, ExportEventsCommand.self,
      EventKeysCommand.self,
    ])
}

struct EventKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Print the public keys that verify checkpoints, as a key set (RFC 7517).")

  @Option(help: "Required if the key of --server is one of a project. All logs have the same keys.")
  var project: String?

  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      let keys = try await client.send(.get, EventLogOptions.path(project), verb: "keys")
      Terminal.say(String(decoding: keys.serialized(), as: UTF8.self))
    }
  }
}

/// Which log a command reads.
struct EventLogOptions: ParsableArguments {
  @Flag(help: "Use the log of the whole server's settings, not the log of a project.")
  var serverLog = false

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if serverLog && project.project != nil {
      throw ValidationError("give --server-log or --project, not both")
    }
  }

  /// - Parameter project: Nil for the server's own log.
  static func path(_ project: String?) -> [String] {
    project.map { ["v2", "projects", $0, "events"] } ?? ["v2", "server", "events"]
  }

  /// Passes a client to `body`, and the path of the log.
  func withLog(_ body: (AdministrationClient, [String]) async throws -> Void) async throws {
    try await project.administration.withClient { client in
      let name = serverLog ? nil : try await ProjectClient(project.project, client).project
      try await body(client, Self.path(name))
    }
  }
}

struct ListEventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the latest events, newest first.")

  @Option(help: "Only events about the account with this id.")
  var user: String?

  @Option(
    help: ArgumentHelp(
      "Only events of this kind.",
      discussion: "One of: " + EventKind.allCases.map(\.rawValue).joined(separator: ", ") + "."))
  var kind: String?

  @Option(
    help: """
      Only events that this administrator caused: the email of a service account, or the first \
      characters of an administrator's key.
      """)
  var by: String?

  @Option(help: "Only events since this time, such as 2027-01-31T12:00:00Z.")
  var since: String?

  @Option(help: "Only events before this time.")
  var until: String?

  @Option(help: "The maximum number of events to list, from 1 to 10000.")
  var limit = 50

  @OptionGroup var log: EventLogOptions

  private static let maximumPage = 1000

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 10000")
    }
  }

  func run() async throws {
    try await log.withLog { client, path in
      var events: [JSONObject] = []
      var token: String?
      repeat {
        let answer = try await client.send(
          .get, path,
          query: [
            "uid": user, "kind": kind, "actor": by.map { EventActor.administrator($0).text },
            "since": since, "until": until,
            "pageSize": String(min(limit - events.count, Self.maximumPage)), "pageToken": token,
          ])
        events += answer.objects("events")
        token = answer["nextPageToken"]?.string
      } while token != nil && events.count < limit
      client.say(["events": .array(events.map { .object($0) })]) {
        guard !events.isEmpty else { return Terminal.say("There is no such event.") }
        var table = TextTable("NUMBER", "TIME", "EVENT", "ACCOUNT", "BY", "DETAILS", "FROM")
        for event in events {
          table.add(
            String(event["number"]?.int64 ?? 0), event.shown("time"), event.shown("kind"),
            event["uid"]?.string ?? "", event.shown("actor"), Self.details(of: event),
            ["address", "app", "request"].compactMap { event["source"]?[$0]?.string }
              .joined(separator: " ").printable)
        }
        table.say()
      }
    }
  }

  private static func details(of event: JSONObject) -> String {
    (event["details"]?.object?.members ?? [])
      .map { "\($0.name)=\($0.value.string ?? "")" }.joined(separator: " ").printable
  }
}
