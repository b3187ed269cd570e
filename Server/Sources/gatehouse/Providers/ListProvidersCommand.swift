import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct ListProvidersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's providers.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let (project, providers, notifications) = try await database.store.read {
        (
          try $0.project(id), try $0.providersWithApps(in: id), try $0.notifications(in: id)
        )
      }
      var table = TextTable(
        "PROVIDER", "SIGN-IN", "EMAILS", "NONCE", "AUDIENCES", "REDIRECT URI")
      for provider in providers {
        table.add(
          provider.id.text, provider.isEnabled ? "on" : "off", provider.trustEmail.rawValue,
          provider.requiresNonce ? "required" : "optional",
          provider.audiences.joined(separator: " "), project?.returnURL(of: provider.id) ?? "")
      }
      table.say()
      for provider in providers {
        guard let url = project?.notificationPlace(of: provider.id) else { continue }
        let received = notifications.first { $0.provider == provider.id }
        Terminal.say(
          "\(provider.id) notifications: \(url), "
            + (received.map {
              "\($0.count) so far, the last \($0.lastAt.formatted(.iso8601)) (\($0.lastKind))"
            } ?? "none so far"))
      }
    }
  }
}

struct RemoveProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a provider. Accounts keep their identities.")

  @Argument(help: "The provider, such as google.com or oidc.example.")
  var id: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      guard let id = ProviderID(id),
        try await database.store.write({ try $0.deleteProvider(id, in: project) })
      else {
        throw CommandFailure(
          "\(project) has no provider “\(self.id)”; `gatehouse providers list` lists them")
      }
      Terminal.say("Removed.")
    }
  }
}
