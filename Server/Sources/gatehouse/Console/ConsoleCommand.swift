import ArgumentParser
import GatehouseProtocol
import GatehouseServer

struct ConsoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console", abstract: "The people who administer in a browser, at /console.",
    subcommands: [
      InviteConsoleUserCommand.self, ListConsoleUsersCommand.self, SetConsoleUserCommand.self,
      RemoveConsoleUserCommand.self,
    ])

  fileprivate static let path = ["v2", "server", "consoleUsers"]
  fileprivate static let nameHelp: ArgumentHelp =
    "The user's name in the console: a–z, 0–9, . and -"
}

struct InviteConsoleUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Print a link with which a user gets in.",
    discussion: """
      The link can be used once, within three days: the user adds a passkey, or a password and an authenticator app. \
      For a user who exists already, such as one who lost a device, the command first removes their passkeys, \
      password and authenticator apps, and ends their sessions. \
      Also creates the database, or PostgreSQL's tables, if there are none; it then needs --public-url.
      """)

  @Argument(help: ConsoleCommand.nameHelp)
  var name: String

  @Option(help: "viewer, support, administrator or owner.")
  var role: AdministratorRole = .administrator

  @Option(help: "The one project that the user administers. Default: all.")
  var project: String?

  @Option(help: "The email with which the user signs in. Default: the user chooses it.")
  var email: String?

  @Option(help: "The URL at which clients will reach the server: https://auth.example.com")
  var publicURL: String?

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    let url = try publicURL.map { try SettingReader.publicURL(flag: $0) }
    try await administration.withClient(
      publicURL: url, making: url == nil ? nil : .production
    ) { client in
      let known = try await client.send(.get, ConsoleCommand.path).objects("consoleUsers")
        .first { $0.shown("uid") == name }
      let answer: JSONObject
      if let known {
        if known["state"]?.string == "active" {
          try confirmation.confirm(
            "\(name) can sign in. Take away their passkeys, password and sessions, and invite them anew?"
          )
        }
        answer = try await client.send(.post, ConsoleCommand.path + [name], verb: "invite", [:])
      } else {
        var user: JSONObject = ["uid": .string(name), "role": .string(role.rawValue)]
        user["email"] = email.map { .string($0) }
        user["project"] = project.map { .string($0) }
        answer = try await client.send(.post, ConsoleCommand.path, user)
      }
      client.say(answer) {
        Terminal.say(answer.shown("invitationUrl"))
        Terminal.note(
          "The link can be used once, within three days. Whoever opens it is \(name), as \(answer.shown("role"))."
        )
      }
    }
  }
}

struct ListConsoleUsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the console's users.")

  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      let answer = try await client.send(.get, ConsoleCommand.path)
      client.say(answer) {
        var table = TextTable("NAME", "EMAIL", "ROLE", "PROJECT", "STATE", "LAST SIGN-IN")
        for user in answer.objects("consoleUsers") {
          table.add(
            user.shown("uid"), user.shown("email"), user.shown("role"),
            user["project"]?.string ?? "(all)", user.shown("state"), user.shown("lastSignInTime"))
        }
        table.say()
      }
    }
  }
}

struct SetConsoleUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change what a user of the console may do.")

  @Argument(help: ConsoleCommand.nameHelp)
  var name: String

  @Option(help: "viewer, support, administrator or owner.")
  var role: AdministratorRole

  @Option(help: "The one project that the user administers; empty for all. Default: as before.")
  var project: String?

  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      var user: JSONObject = ["role": .string(role.rawValue)]
      user["project"] = project.map { .string($0) }
      let answer = try await client.send(.patch, ConsoleCommand.path + [name], user)
      client.say(answer) {
        let project = answer["project"]?.string ?? "all projects"
        Terminal.say("\(name) is \(role.rawValue) of \(project).")
      }
    }
  }
}

struct RemoveConsoleUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a user of the console. Their sessions end.")

  @Argument(help: ConsoleCommand.nameHelp)
  var name: String

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      try confirmation.confirm("Remove \(name) from the console?")
      let answer = try await client.send(.delete, ConsoleCommand.path + [name])
      client.say(answer) { Terminal.say("Removed \(name).") }
    }
  }
}
