import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseOperation

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
}

/// Flags of every command about one hook.
struct HookArgument: ParsableArguments {
  @Argument(help: "The hook's id, from `gatehouse hooks list`.")
  var id: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func hook(
    _ transaction: any StoreTransaction, of project: ProjectID
  ) throws -> Hook {
    guard let hook = try HookID(id).flatMap({ try transaction.hook($0, of: project) }) else {
      throw CommandFailure("\(project) has no hook “\(id)”; `gatehouse hooks list` lists them")
    }
    return hook
  }
}

/// The options of a hook.
struct HookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An event to deliver, such as account.deleted. Can be repeated. Default: all events about accounts.",
      discussion: "One of: " + EventKind.allCases.map(\.rawValue).joined(separator: ", ") + "."))
  var event: [String] = []

  @Option(
    help: "json: a JSON object that contains the token; token: only the security event token.")
  var form: String?

  func kinds() throws -> Set<EventKind> {
    Set(
      try event.map { text in
        guard let kind = EventKind(rawValue: text) else {
          throw CommandFailure(
            "there is no event “\(text)”; the events are: "
              + EventKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return kind
      })
  }

  func parsedForm() throws -> Hook.Form? {
    try form.map { text in
      guard let form = Hook.Form(rawValue: text) else {
        throw CommandFailure("--form is json or token")
      }
      return form
    }
  }

  static func address(_ text: String) throws -> String {
    do throws(CodeWebhookAddress.Fault) {
      return try CodeWebhookAddress.checked(text)
    } catch {
      switch error {
      case .form: throw CommandFailure("not a URL such as https://api.example.com/events: \(text)")
      case .insecure:
        throw CommandFailure(
          "must be an https URL, because the events are about your users (http is allowed for "
            + "this machine only): \(text)")
      }
    }
  }
}

struct AddHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a hook, and show its secret once.")

  @Argument(help: "The https URL that gets the events; http is allowed for this machine only.")
  var url: String

  @OptionGroup var options: HookOptions
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let secret = WebhookSecret.random()
    let hook = Hook(
      url: try HookOptions.address(url), kinds: try options.kinds(),
      form: try options.parsedForm() ?? .json, secrets: [secret], createdAt: Date())
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      try await database.store.write { transaction in
        guard try transaction.hooks(of: id).count < Hook.maximumPerProject else {
          throw CommandFailure("a project has at most \(Hook.maximumPerProject) hooks")
        }
        try transaction.save(hook, of: id)
      }
      Terminal.say("\(hook.id) of \(id) gets the events.")
      Terminal.say("Its secret, shown only once; your receiver verifies signatures with it:")
      Terminal.say("  \(secret.text.reveal())")
      Terminal.say("Try it: gatehouse hooks test \(hook.id) --project \(id)")
    }
  }
}

struct ListHooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's hooks, and how many deliveries wait.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let (hooks, deliveries) = try await database.store.read { transaction in
        (try transaction.hooks(of: id), try transaction.deliveries(in: id, onlyFailed: false))
      }
      guard !hooks.isEmpty else { return Terminal.say("\(id) has no hook.") }
      var table = TextTable("ID", "URL", "EVENTS", "FORM", "STATE", "WAITING", "GIVEN UP")
      for hook in hooks {
        let own = deliveries.filter { $0.hook == hook.id }
        table.add(
          hook.id.text, hook.url,
          hook.kinds.isEmpty
            ? "all about accounts" : hook.kinds.map(\.rawValue).sorted().joined(separator: " "),
          hook.form.rawValue, hook.isEnabled ? "enabled" : "disabled",
          String(own.count { $0.entry.failedAt == nil }),
          String(own.count { $0.entry.failedAt != nil }))
      }
      table.say()
    }
  }
}

struct SetHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a hook.",
    discussion: """
      With --new-secret, events are signed with the new secret and with the previous one, so that \
      receivers have time to change. If you use --new-secret again, the older secret is forgotten.
      """)

  @Option(help: "The https URL that gets the events.")
  var url: String?

  @Flag(inversion: .prefixedEnableDisable, help: "Whether the hook gets events.")
  var delivery: Bool?

  @Flag(help: "Deliver all events about accounts.")
  var allEvents = false

  @Flag(help: "Create a new secret, and show it once.")
  var newSecret = false

  @OptionGroup var options: HookOptions
  @OptionGroup var hook: HookArgument

  func validate() throws {
    if allEvents && !options.event.isEmpty {
      throw ValidationError("give --event or --all-events")
    }
    if url == nil && delivery == nil && !allEvents && !newSecret && options.event.isEmpty
      && options.form == nil
    {
      throw ValidationError(
        "nothing to set: give --url, --event, --all-events, --form, --new-secret, "
          + "--enable-delivery or --disable-delivery")
    }
  }

  func run() async throws {
    let url = try url.map { try HookOptions.address($0) }
    let kinds = allEvents ? [] : options.event.isEmpty ? nil : try options.kinds()
    let form = try options.parsedForm()
    let secret = newSecret ? WebhookSecret.random() : nil
    try await hook.data.withDatabase { [self] database in
      let project = try await hook.project.resolve(in: database)
      try await database.store.write { transaction in
        var changed = try hook.hook(transaction, of: project)
        changed.url = url ?? changed.url
        changed.kinds = kinds ?? changed.kinds
        changed.form = form ?? changed.form
        changed.isEnabled = delivery ?? changed.isEnabled
        if let secret { changed.rotateSecret(to: secret) }
        try transaction.save(changed, of: project)
      }
      Terminal.say("\(hook.id) is changed.")
      if let secret {
        Terminal.say("Its new secret, shown only once:")
        Terminal.say("  \(secret.text.reveal())")
      }
    }
  }
}

struct RemoveHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a hook. Its waiting events are not delivered.")

  @OptionGroup var hook: HookArgument

  func run() async throws {
    try await hook.data.withDatabase { database in
      let project = try await hook.project.resolve(in: database)
      try await database.store.write { transaction in
        _ = try transaction.deleteHook(try hook.hook(transaction, of: project).id, of: project)
      }
      Terminal.say("\(hook.id) is removed.")
    }
  }
}

/// A delivery that waits or was given up.
struct Delivery: Sendable {
  let entry: OutboxEntry
  let hook: HookID
  let event: Event
}

extension StoreTransaction {
  /// Oldest first, at most 10,000.
  func deliveries(in project: ProjectID, onlyFailed: Bool) throws -> [Delivery] {
    var filter = OutboxFilter(project: project, onlyFailed: onlyFailed)
    filter.kind = .deliverEvent
    return try outboxEntries(filter, limit: 10_000).compactMap { entry in
      guard case .deliverEvent(let task) = entry.task else { return nil }
      return Delivery(entry: entry, hook: task.hook, event: task.event)
    }
  }
}
