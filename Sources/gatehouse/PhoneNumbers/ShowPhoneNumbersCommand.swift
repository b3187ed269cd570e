import ArgumentParser
import GatehouseServer
import GatehouseModel

struct ShowPhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show how a project's users sign in by phone number.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let (project, webhook) = try await database.store.read {
        (try $0.project(id), try $0.codeWebhook(of: id))
      }
      guard let policy = project?.policies.phone else { return }
      let prefixes = policy.allowedPrefixes
      let numbers = policy.testNumbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      Terminal.say("\(id)")
      Terminal.say("  sign-in       \(policy.isEnabled ? "on" : "off")")
      Terminal.say("  webhook       \(webhook?.url ?? "-")")
      Terminal.say("  prefixes      \(prefixes.isEmpty ? "-" : prefixes.joined(separator: " "))")
      Terminal.say("  test numbers  \(numbers.isEmpty ? "-" : numbers.joined(separator: " "))")
      Terminal.say(
        """
          messages      \(policy.messagesPerDay) in 24 hours; in an hour \
        \(policy.messagesPerNumber) per number, \(policy.messagesPerRange) per range of numbers, \
        \(policy.messagesPerAddress) per client address
        """)
    }
  }
}
