import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct HooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hooks", abstract: "Send events about accounts to your programs.",
    discussion: """
      A running server signs each event and posts it to the project's hooks until they respond \
      with 2xx or two weeks have passed. Events of one account arrive one after the other, in the \
      order in which they happened.
      """,
    subcommands: [
      AddHookCommand.self, ListHooksCommand.self, SetHookCommand.self, RemoveHookCommand.self,
      TestHookCommand.self, ListDeliveriesCommand.self, RedeliverCommand.self,
    ])

  static let hint = "`gatehouse hooks list` lists them"
}

/// Flags of every command about one hook.
struct HookArgument: ParsableArguments {
  @Argument(help: "The hook's id, from `gatehouse hooks list`.")
  var id: String

  @OptionGroup var project: ProjectOptions

  func send(
    _ method: AdministrationClient.Method, _ project: ProjectClient, verb: String? = nil,
    body: JSONObject? = nil
  ) async throws -> JSONObject {
    try await project.send(
      method, "hooks", id, verb: verb, body: body, hint: HooksCommand.hint)
  }
}

/// The options of a hook.
struct HookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An event to deliver, such as account.deleted. May be repeated. Default of a new hook: all except "
        + "setting.changed.",
      discussion: "One of: " + EventKind.allCases.map(\.rawValue).joined(separator: ", ") + "."))
  var event: [String] = []

  @Option(
    help: """
      json: a JSON object that contains the security event token; token: only this token. Default of \
      a new hook: json.
      """)
  var form: String?
}

extension JSONObject {
  /// The id at the end of a hook's name.
  fileprivate var hookID: String {
    self["name"]?.string.flatMap { $0.split(separator: "/").last }.map(String.init) ?? ""
  }
}

struct AddHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a hook, and show its secret once.")

  @Argument(
    help: "The https URL that gets the events; without --server, http is allowed for this machine.")
  var url: String

  @OptionGroup var options: HookOptions
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      var body = JSONObject(ifPresent: ["url": url, "form": options.form])
      body["events"] = .array(options.event.map { .string($0) })
      let hook = try await project.send(.post, "hooks", body: body)
      project.say(hook) {
        Terminal.say("\(hook.hookID) of \(project.project) gets the events.")
        hook.saySecret(verifiedBy: "your receiver")
        Terminal.say("Try it: gatehouse hooks test \(hook.hookID) --project \(project.project)")
      }
    }
  }
}

struct ListHooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's hooks, and how many deliveries wait.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let answer = try await project.send(.get, "hooks")
      let hooks = answer.objects("hooks")
      if project.client.printsJSON { return project.say(answer) {} }
      guard !hooks.isEmpty else { return Terminal.say("\(project.project) has no hook.") }
      var table = TextTable("ID", "URL", "EVENTS", "FORM", "STATE", "WAITING", "GIVEN UP")
      for hook in hooks {
        let deliveries = try await project.deliveries(of: hook.hookID)
        let givenUp = deliveries.count { $0["state"]?.string == "givenUp" }
        let events = hook.strings("events")
        table.add(
          hook.hookID, hook.shown("url"),
          events.isEmpty ? "all about accounts" : events.joined(separator: " "),
          hook.shown("form"), hook["enabled"]?.bool == true ? "enabled" : "disabled",
          String(deliveries.count - givenUp), String(givenUp))
      }
      table.say()
    }
  }
}

extension ProjectClient {
  /// The deliveries of a hook that wait or were given up.
  fileprivate func deliveries(of hook: String) async throws -> [JSONObject] {
    var deliveries: [JSONObject] = []
    var token: String?
    repeat {
      let page = try await send(
        .get, "hooks", hook, "deliveries", query: ["pageSize": "1000", "pageToken": token])
      deliveries += page.objects("deliveries")
      token = page["nextPageToken"]?.string
    } while token != nil
    return deliveries
  }
}

struct SetHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a hook.",
    discussion: """
      With --new-secret, events are signed with the new secret and with the previous one, so that \
      receivers have time to change. If you use --new-secret again, the oldest secret is removed.
      """)

  @Option(help: "The https URL that gets the events.")
  var url: String?

  @Flag(inversion: .prefixedEnableDisable, help: "Whether the hook gets events.")
  var delivery: Bool?

  @Flag(help: "Deliver all events except setting.changed.")
  var allEvents = false

  @Flag(help: "Create a new secret, and show it once.")
  var newSecret = false

  @OptionGroup var options: HookOptions
  @OptionGroup var hook: HookArgument

  func validate() throws {
    if allEvents && !options.event.isEmpty {
      throw ValidationError("give --event or --all-events")
    }
    if changes.members.isEmpty && !newSecret {
      throw ValidationError(
        "nothing to set: give --url, --event, --all-events, --form, --new-secret, "
          + "--enable-delivery or --disable-delivery")
    }
  }

  private var changes: JSONObject {
    var body = JSONObject(ifPresent: ["url": url, "form": options.form])
    if allEvents || !options.event.isEmpty {
      body["events"] = .array(options.event.map { .string($0) })
    }
    body["enabled"] = delivery.map { .bool($0) }
    return body
  }

  func run() async throws {
    try await hook.project.run { project in
      var answer = JSONObject()
      if !changes.members.isEmpty {
        answer = try await hook.send(.patch, project, body: changes)
      }
      if newSecret {
        answer = try await hook.send(.post, project, verb: "rotateSecret", body: [:])
      }
      project.say(answer) {
        Terminal.say("\(hook.id) is changed.")
        answer.saySecret("Its new secret", verifiedBy: "your receiver")
      }
    }
  }
}

struct RemoveHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a hook. Its waiting events are not delivered.")

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var hook: HookArgument

  func run() async throws {
    try await hook.project.run { project in
      try confirmation.confirm("Remove \(hook.id)? Its waiting events are not delivered.")
      let answer = try await hook.send(.delete, project)
      project.say(answer) { Terminal.say("\(hook.id) is removed.") }
    }
  }
}

struct TestHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send an event to a hook now, and show whether it accepts it.",
    discussion: """
      The event is a setting.changed with the detail test, signed like every other event. A \
      receiver must respond with 2xx to events that it doesn't use.
      """)

  @OptionGroup var hook: HookArgument

  func run() async throws {
    try await hook.project.run { project in
      try project.client.sayFindings(try await hook.send(.post, project, verb: "test", body: [:]))
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

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      var table = TextTable(
        "ID", "HOOK", "EVENT", "EVENT'S ID", "ACCOUNT", "TIME", "ATTEMPTS", "NEXT", "LAST ERROR")
      var all: [JSONValue] = []
      for hook in try await project.send(.get, "hooks").objects("hooks") {
        for delivery in try await project.deliveries(of: hook.hookID)
        where !failed || delivery["state"]?.string == "givenUp" {
          all.append(.object(delivery))
          let event = delivery["event"]?.object ?? [:]
          table.add(
            delivery.shown("id"), hook.hookID, event.shown("type"), event.shown("id"),
            event["uid"]?.string?.printable ?? "", event.shown("time"), delivery.attempts,
            delivery["state"]?.string == "givenUp"
              ? "given up" : delivery.shown("nextAttemptTime"),
            delivery.lastError)
        }
      }
      project.say(["deliveries": .array(all)]) {
        guard !table.isEmpty else {
          return Terminal.say(failed ? "No delivery was given up." : "No delivery waits.")
        }
        table.say()
      }
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
    var body = JSONObject(ifPresent: ["eventId": event, "since": since])
    if failed { body["undelivered"] = true }
    try await hook.project.run { [body] project in
      let answer = try await hook.send(.post, project, verb: "redeliver", body: body)
      project.say(answer) {
        let count = answer["count"]?.number?.int64 ?? 0
        Terminal.say("Queued \(count) events for \(hook.id). A running server sends them.")
      }
    }
  }
}
