import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct SetMicrosoftCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "microsoft", abstract: "Sign in with Microsoft.",
    discussion: """
      Register an app in Microsoft's Entra admin center: App registrations, platform Web. --tenant \
      says which accounts may sign in: common (any), organizations (work and school), consumers \
      (personal), or the id of one tenant. The default is common. Email addresses of Microsoft \
      accounts are never trusted. Test the configuration with `gatehouse providers test \
      microsoft.com`.
      """)

  @Option(help: "The application (client) id.")
  var clientID: String?

  @Option(help: "A file with a client secret's value.")
  var clientSecretFile: String?

  @Option(help: "common, organizations, consumers, or a tenant's id.")
  var tenant: String?

  @OptionGroup var options: ProviderOptions
  @OptionGroup var change: ProviderChange

  func validate() throws {
    if let tenant, MicrosoftTenant(tenant) == nil {
      throw ValidationError(
        "--tenant \(tenant): one of common, organizations, consumers, or the tenant's id (a UUID; "
          + "not its domain, because tokens contain the id)")
    }
  }

  func run() async throws {
    let secret = try ProviderOptions.secret(in: clientSecretFile, "--client-secret-file")
    try await change.run(.microsoft) { members, known in
      guard clientID ?? known?["clientId"]?.string != nil else {
        throw CommandFailure("name the app registration with --client-id")
      }
      members.set("enabled", options.signIn ?? true)
      members.set("clientId", clientID)
      members.set("clientSecret", secret?.reveal())
      members.set("issuer", tenant.flatMap { MicrosoftTenant($0)?.issuer })
      options.apply(to: &members)
    }
  }
}
