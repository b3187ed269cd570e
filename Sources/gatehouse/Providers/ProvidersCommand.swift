import ArgumentParser

struct ProvidersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "providers", abstract: "How a project signs people in.",
    discussion: "A running server takes a change over within a second.",
    subcommands: [
      SetProviderCommand.self, AddProviderCommand.self, ListProvidersCommand.self,
      TestProviderCommand.self, ProviderClientsCommand.self, ProviderKeysCommand.self,
      MoveIssuerCommand.self,
      RemoveProviderCommand.self,
    ])
}
