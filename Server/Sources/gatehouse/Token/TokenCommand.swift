import ArgumentParser

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Inspect tokens.", subcommands: [ExplainTokenCommand.self])
}
