import ArgumentParser

struct AppleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apple", abstract: "Work that only Sign in with Apple needs.",
    subcommands: [AppleTransferCommand.self])
}

struct AppleTransferCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "Keep users' accounts when an app moves to another Apple team.",
    discussion: """
      A user's subject at Apple belongs to a team. When an app moves, every subject changes, and so \
      does every private relay address. First run `prepare` with the key of the old team. Then \
      transfer the app at Apple, configure the new team's key with `gatehouse providers set apple`, \
      and run `finish`. Users who sign in meanwhile are recognised too. Apple answers both commands \
      for 60 days after the transfer. Both can be interrupted and run again.
      """,
    subcommands: [
      PrepareTransferCommand.self, FinishTransferCommand.self, TransferStatusCommand.self,
    ])
}
