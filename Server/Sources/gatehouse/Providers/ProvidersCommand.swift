import ArgumentParser
import GatehouseProtocol
import GatehouseServer

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

struct TestProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Make the requests of a sign-in to a provider, and report what is wrong.",
    discussion: """
      Fetches the provider's discovery document and keys, and tests the client secret or the key of \
      the configuration with a request. The exit status is 0 if nothing is wrong. With a database of --dev, \
      connections to loopback are allowed.
      """)

  @Argument(help: "The provider, such as apple or oidc.example.")
  var id: String

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let (id, _) = try await project.provider(id)
      try project.client.sayFindings(
        try await project.send(.post, ProjectClient.collection(of: id), id.text, verb: "test"))
    }
  }
}
