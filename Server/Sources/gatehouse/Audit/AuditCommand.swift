import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

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

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let ring = try await SigningKeys.open(
        .eventLog, store: database.store, forms: KeyForms(), now: Date())
      Terminal.say(String(decoding: ring.document, as: UTF8.self))
    }
  }
}

/// Which log a command reads.
struct EventLogOptions: ParsableArguments {
  @Flag(help: "Use the log of the server's own settings, not the log of a project.")
  var server = false

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if server && project.project != nil {
      throw ValidationError("give --server or --project, not both")
    }
  }

  /// Opens the database, and links the waiting events, because it is possible that no server is
  /// running.
  func withLog<Result: Sendable>(
    _ body: (OpenDatabase, ProjectID?) async throws -> Result
  ) async throws -> Result {
    try await data.withDatabase { database in
      let project = server ? nil : try await project.resolve(in: database)
      try await EventLinker(store: database.store).run()
      return try await body(database, project)
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

  @Option(help: "The maximum number of events to list.")
  var limit = 50

  @OptionGroup var log: EventLogOptions

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 10000")
    }
  }

  func run() async throws {
    let filter = EventFilter(
      uid: try user.map { text in
        guard let uid = UID(text) else { throw CommandFailure("“\(text)” is not an account id") }
        return uid
      },
      kind: try kind.map { text in
        guard let kind = EventKind(rawValue: text) else {
          throw CommandFailure(
            "there is no kind “\(text)”; the kinds are: "
              + EventKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return kind
      })
    try await log.withLog { database, project in
      let links = try await latest(filter, in: EventLog(store: database.store), project)
      guard !links.isEmpty else { return Terminal.say("There is no such event.") }
      var table = TextTable("NUMBER", "TIME", "EVENT", "ACCOUNT", "BY", "DETAILS", "FROM")
      for link in links {
        let event = link.event
        let source = [event.source.address, event.source.app, event.source.request]
        table.add(
          String(link.number), event.at.formatted(.iso8601), event.kind.rawValue,
          event.uid?.text ?? "", event.actor.text.printable,
          event.details.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ").printable,
          source.compactMap(\.self).joined(separator: " ").printable)
      }
      table.say()
    }
  }

  /// No index has the actor, so all events are read for ``by``.
  private func latest(
    _ filter: EventFilter, in log: EventLog, _ project: ProjectID?
  ) async throws -> [EventLink] {
    guard let by else { return try await log.latest(filter, limit: limit, in: project) }
    var found: [EventLink] = []
    try await log.forEach(of: project) { link in
      guard link.event.actor.isAdministrator(named: by),
        filter.kind == nil || filter.kind == link.event.kind,
        filter.uid == nil || filter.uid == link.event.uid
      else { return }
      found.append(link)
      if found.count > limit { found.removeFirst() }
    }
    return found.reversed()
  }
}
