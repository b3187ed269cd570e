import ArgumentParser

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Look at tokens.", subcommands: [ExplainTokenCommand.self])
}
