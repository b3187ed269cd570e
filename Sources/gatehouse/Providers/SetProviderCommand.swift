import ArgumentParser

struct SetProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Configure a built-in provider, or change an added OpenID Connect provider.",
    discussion: """
      Options that aren't given stay unchanged. A built-in provider is also enabled, unless \
      --disable-sign-in is given.
      """,
    subcommands: [
      SetAppleCommand.self, SetVendorCommand<Google>.self, SetFacebookCommand.self,
      SetVendorCommand<GitHub>.self, SetMicrosoftCommand.self, SetOpenIDConnectCommand.self,
    ],
    defaultSubcommand: SetOpenIDConnectCommand.self)
}
