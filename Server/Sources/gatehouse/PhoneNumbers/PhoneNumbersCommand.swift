import ArgumentParser
import GatehouseProtocol

struct PhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone-numbers", abstract: "Sign-in by a code in a text message.",
    discussion: """
      The server sends no messages itself: it calls your webhook, which passes the code to your \
      message service. A running server applies a change within a second.
      """,
    subcommands: [
      SetPhoneNumbersCommand.self, ShowPhoneNumbersCommand.self, TestPhoneNumbersCommand.self,
    ])

  static let hint = "name it with `gatehouse phone-numbers set --webhook URL`"
}

struct TestPhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Send the project's webhook a signed event, and report what is wrong.",
    discussion: """
      The event's type is phone.test: a receiver responds with 2xx and sends no message. The exit \
      status is 0 if the response is 2xx.
      """)

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      try project.client.sayFindings(
        try await project.send(
          .post, "codeWebhook", verb: "test", body: [:], hint: PhoneNumbersCommand.hint))
    }
  }
}

struct ShowPhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show how a project's users sign in by phone number.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let config = try await project.send(.get, "config")
      let policy = config["policies"]?["phone"]?.object ?? [:]
      let webhook = try await project.send(.get, "codeWebhook")
      project.say(["phone": .object(policy), "webhook": .object(webhook)]) {
        func limit(_ name: String) -> String { policy[name]?.number?.text ?? "-" }
        let prefixes = policy.strings("allowedPrefixes")
        let numbers = (policy["testNumbers"]?.object ?? [:]).members.map {
          "\($0.name)=\($0.value.string ?? "")"
        }.sorted()
        Terminal.say(project.project)
        Terminal.say("  sign-in       \(policy["isEnabled"]?.bool == true ? "on" : "off")")
        Terminal.say("  webhook       \(webhook.shown("url"))")
        Terminal.say("  prefixes      \(prefixes.isEmpty ? "-" : prefixes.joined(separator: " "))")
        Terminal.say("  test numbers  \(numbers.isEmpty ? "-" : numbers.joined(separator: " "))")
        Terminal.say(
          """
            messages      \(limit("messagesPerDay")) in 24 hours; in an hour \
          \(limit("messagesPerNumber")) per number, \(limit("messagesPerRange")) per range of numbers, \
          \(limit("messagesPerAddress")) per client address
          """)
      }
    }
  }
}
