import ArgumentParser

struct ProvidersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "providers", abstract: "The providers with which a project's users sign in.",
    discussion: "A running server applies a change within a second.",
    subcommands: [
      SetProviderCommand.self, AddProviderCommand.self, ListProvidersCommand.self,
      TestProviderCommand.self, TestEventCommand.self, ProviderClientsCommand.self,
      ProviderKeysCommand.self,
      MoveIssuerCommand.self,
      RemoveProviderCommand.self,
    ])
}
