import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct ProviderClientsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clients", abstract: "Clients of an OpenID Connect provider for individual apps.",
    discussion: """
      A provider may issue a separate client id and secret for each platform. An app that is named \
      here signs in with its own client. Every other app signs in with the provider's first client.
      """,
    subcommands: [SetClientCommand.self, ListClientsCommand.self, RemoveClientCommand.self])
}

struct SetClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Add a client, or change one.")

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @Argument(help: "The client id that the provider issued.")
  var clientID: String

  @Option(help: "A file with the client secret, for the code flow.")
  var clientSecretFile: String?

  @Option(
    help: "The bundle id of an app with this client. May be repeated; replaces the former ones.")
  var bundleID: [String] = []

  @OptionGroup var database: ProviderDatabase

  func run() async throws {
    let secret = try ProviderOptions.secret(in: clientSecretFile, "--client-secret-file")
    let provider = try ProviderClients.provider(id)
    let project = try await database.change(provider) { [self] new, known in
      guard known != nil else { throw CommandFailure.noProviderYet(provider) }
      let index = new.clients.firstIndex { $0.clientID.hasSameBytes(as: clientID) }
      var client =
        index.map { new.clients[$0] } ?? ProviderClient(clientID: clientID, bundleIDs: [])
      client.secret = secret ?? client.secret
      if !bundleID.isEmpty { client.bundleIDs = bundleID }
      guard !client.bundleIDs.isEmpty else {
        throw CommandFailure("name the apps that use it with --bundle-id")
      }
      if let index { new.clients[index] = client } else { new.clients.append(client) }
    }
    Terminal.say("\(clientID) is a client of \(provider) in \(project.id).")
    project.sayReturnURL(of: provider)
  }
}

struct ListClientsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a provider's clients.")

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let provider = try await database.provider(id, of: project)
      var table = TextTable("CLIENT", "SECRET", "APPS")
      table.add(
        provider.clientID, provider.clientSecret == nil ? "none" : "set", "every other app")
      for client in provider.clients {
        table.add(
          client.clientID, client.secret == nil ? "none" : "set",
          client.bundleIDs.joined(separator: " "))
      }
      table.say()
    }
  }
}

struct RemoveClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a client. Its apps then sign in with the provider's first client.")

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @Argument(help: "The client's id.")
  var clientID: String

  @OptionGroup var database: ProviderDatabase

  func run() async throws {
    let provider = try ProviderClients.provider(id)
    _ = try await database.change(provider) { [self] new, known in
      guard known != nil else { throw CommandFailure.noProviderYet(provider) }
      guard let index = new.clients.firstIndex(where: { $0.clientID.hasSameBytes(as: clientID) })
      else {
        throw CommandFailure(
          "\(provider) has no client “\(clientID)” besides its first; `gatehouse providers clients "
            + "list \(provider)` lists them")
      }
      new.clients.remove(at: index)
    }
    Terminal.say("Removed.")
  }
}

private enum ProviderClients {
  static func provider(_ id: String) throws -> ProviderID {
    guard let provider = ProviderID(id), provider.isValidOpenIDConnectName else {
      throw ValidationError("“\(id)”: name an OpenID Connect provider, such as oidc.example")
    }
    return provider
  }
}
