import ArgumentParser

struct MailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Test the mail server, preview emails, and show what waits.",
    subcommands: [
      TestMailCommand.self, PreviewMailCommand.self, MailTemplatesCommand.self,
      MailQueueCommand.self, RetryMailCommand.self,
    ])
}
