import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct TestHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send an event to a hook now, and show whether it accepts it.",
    discussion: """
      The event is a setting.changed with the detail test, signed like every other event. A \
      receiver must respond with 2xx to events that it doesn't use.
      """)

  @OptionGroup var settings: SettingOptions
  @OptionGroup var hook: HookArgument

  func run() async throws {
    let outbound = try settings.webhookClient()
    try await hook.data.withDatabase { database in
      let id = try await hook.project.resolve(in: database)
      let project = try await database.project(id)
      let found = try await hook.find(in: database, of: id)
      let keys = try await TokenSigningKeys.open(
        .idTokens, store: database.store, forms: KeyForms(), now: Date())
      let executor = DeliveryExecutor(
        store: database.store, transport: outbound, codec: SecurityEventCodec(keys: keys))
      var finding = Finding(
        "\(found.id)", .ok, "\(found.url) accepted the event, signed with the hook's secret")
      do throws(DeliveryFault) {
        try await executor.sendTest(to: found, in: project, now: Date())
      } catch {
        finding = Finding("\(found.id)", .failed(remedy: Self.remedy(error)), error.description)
      }
      try DoctorReport([finding]).say()
    }
  }

  private static func remedy(_ fault: DeliveryFault) -> String {
    switch fault {
    case .refused(401), .refused(403):
      "Does the receiver know this hook's secret? `gatehouse hooks set --new-secret` creates one."
    case .refused: "The receiver must respond with 2xx to events that it doesn't use."
    case .notSent(.refusedAddress(let host, _)):
      "If this address is in your own network, allow it: outbound.privateHosts=\(host)"
    case .notSent, .malformedURL, .notSigned:
      "Is the receiver running, and can this machine reach it?"
    }
  }
}

struct ListDeliveriesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deliveries",
    abstract: "List deliveries that wait or were given up, oldest first.",
    discussion:
      "Successful deliveries aren't listed; `gatehouse audit list` shows the latest events."
  )

  @Flag(help: "Only deliveries that were given up.")
  var failed = false

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let deliveries = try await HookDirectory(store: database.store).deliveries(
        in: id, onlyFailed: failed)
      guard !deliveries.isEmpty else {
        return Terminal.say(failed ? "No delivery was given up." : "No delivery waits.")
      }
      var table = TextTable(
        "ID", "HOOK", "EVENT", "EVENT'S ID", "ACCOUNT", "TIME", "ATTEMPTS", "NEXT", "LAST ERROR")
      for delivery in deliveries {
        let entry = delivery.entry
        table.add(
          entry.id.text, delivery.hook.text, delivery.event.kind.rawValue,
          delivery.event.id.text, delivery.event.uid?.text ?? "",
          delivery.event.at.formatted(.iso8601), String(entry.attempts),
          entry.failedAt == nil ? entry.dueAt.formatted(.iso8601) : "given up",
          entry.lastError ?? "")
      }
      table.say()
    }
  }
}

struct RedeliverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redeliver",
    abstract: "Deliver events to a hook again.",
    discussion: """
      With --failed, the server repeats at once every delivery that waits or was given up. With \
      --event or --since, it delivers events from the event log again, with the same ids, so that \
      a receiver can recognise an event that it has seen.
      """)

  @Flag(help: "Repeat at once every delivery to this hook that waits or was given up.")
  var failed = false

  @Option(help: "The id of an event, from `gatehouse audit export` or a delivery.")
  var event: String?

  @Option(
    help: "Deliver the hook's events since this time, such as 2027-01-31T12:00:00Z.")
  var since: String?

  @OptionGroup var hook: HookArgument

  func validate() throws {
    guard [failed, event != nil, since != nil].count(where: { $0 }) == 1 else {
      throw ValidationError("give one of --failed, --event and --since")
    }
  }

  func run() async throws {
    let redelivery = try redelivery()
    try await hook.data.withDatabase { database in
      let project = try await hook.project.resolve(in: database)
      let found = try await hook.find(in: database, of: project)
      let count: Int
      do {
        count = try await HookDirectory(store: database.store).redeliver(
          redelivery, to: found, in: project, now: Date())
      } catch HookError.noSuchEvent {
        throw CommandFailure(
          "\(project) has no event \(event ?? ""); its log keeps events for a limited time")
      }
      Terminal.say("Queued \(count) events for \(found.id). A running server sends them.")
    }
  }

  private func redelivery() throws -> Redelivery {
    if let event {
      guard let id = EventID(event) else {
        throw CommandFailure("“\(event)” is not the id of an event")
      }
      return .event(id)
    }
    guard let since else { return .undelivered }
    guard let time = try? Date(since, strategy: .iso8601) else {
      throw CommandFailure("--since: write it as 2027-01-31T12:00:00Z")
    }
    return .since(time)
  }
}
