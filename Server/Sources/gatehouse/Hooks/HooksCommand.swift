import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

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

  func find(in database: OpenDatabase, of project: ProjectID) async throws -> Hook {
    guard let id = HookID(id),
      let hook = try await HookDirectory(store: database.store).hook(id, of: project)
    else {
      throw CommandFailure("\(project) has no hook “\(self.id)”; `gatehouse hooks list` lists them")
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
    help: "json: a JSON object that contains the security event token; token: only this token.")
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
    do throws(WebhookAddress.Fault) {
      return try WebhookAddress.checked(text, allowsLoopback: true)
    } catch {
      switch error {
      case .form: throw CommandFailure("not a URL such as https://api.example.com/events: \(text)")
      case .insecure, .loopback:
        throw CommandFailure(
          "must be an https URL, because the requests are about your users (http is allowed for "
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
    var changes = HookChanges()
    changes.kinds = try options.kinds()
    changes.form = try options.parsedForm()
    let address = try HookOptions.address(url)
    try await data.withDatabase { [changes] database in
      let id = try await project.resolve(in: database)
      let hook: Hook
      do {
        hook = try await HookDirectory(store: database.store).add(
          url: address, changes, to: id, now: Date())
      } catch HookError.tooMany {
        throw CommandFailure("a project has at most \(Hook.maximumPerProject) hooks")
      }
      Terminal.say("\(hook.id) of \(id) gets the events.")
      hook.secrets.first?.sayOnce(verifiedBy: "your receiver")
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
      let directory = HookDirectory(store: database.store)
      let hooks = try await directory.hooks(of: id)
      let deliveries = try await directory.deliveries(in: id)
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
      receivers have time to change. If you use --new-secret again, the oldest secret is removed.
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
    var changes = HookChanges()
    changes.url = try url.map { try HookOptions.address($0) }
    changes.kinds = allEvents ? [] : options.event.isEmpty ? nil : try options.kinds()
    changes.form = try options.parsedForm()
    changes.isEnabled = delivery
    changes.rotatesSecret = newSecret
    try await hook.data.withDatabase { [self, changes] database in
      let project = try await hook.project.resolve(in: database)
      let found = try await hook.find(in: database, of: project)
      let changed = try await HookDirectory(store: database.store).change(
        found.id, of: project, changes)
      Terminal.say("\(hook.id) is changed.")
      if newSecret {
        changed?.secrets.first?.sayOnce("Its new secret", verifiedBy: "your receiver")
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
      let found = try await hook.find(in: database, of: project)
      _ = try await HookDirectory(store: database.store).remove(found.id, of: project)
      Terminal.say("\(hook.id) is removed.")
    }
  }
}
