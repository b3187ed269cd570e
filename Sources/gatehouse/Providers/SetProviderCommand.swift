import ArgumentParser

struct SetProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Configure a provider that is built in, or change one that was added.",
    discussion: "What isn't named stays as it is. The provider is switched on.",
    subcommands: [
      SetAppleCommand.self, SetVendorCommand<Google>.self, SetFacebookCommand.self,
      SetVendorCommand<GitHub>.self, SetMicrosoftCommand.self, SetOpenIDConnectCommand.self,
    ],
    defaultSubcommand: SetOpenIDConnectCommand.self)
}
