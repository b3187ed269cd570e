import ArgumentParser
import GatehouseProtocol

struct ListProvidersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's providers.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      var answer = JSONObject()
      for collection in ["defaultSupportedIdpConfigs", "oauthIdpConfigs"] {
        answer[collection] = .array(try await project.all(collection).map { .object($0) })
      }
      let providers = answer.members.flatMap { answer.objects($0.name) }
      project.say(answer) {
        var table = TextTable(
          "PROVIDER", "SIGN-IN", "EMAILS", "NONCE", "AUDIENCES", "REDIRECT URI")
        for provider in providers {
          table.add(
            provider.providerID, provider["enabled"]?.bool == true ? "on" : "off",
            provider.shown("trustEmail"),
            provider["requireNonce"]?.bool == true ? "required" : "optional",
            provider.strings("audiences").joined(separator: " ").printable,
            provider.shown("redirectUri"))
        }
        table.say()
        for provider in providers where provider["notificationUrl"] != nil {
          let received = provider["notifications"]?.object.map {
            "\($0["count"]?.int64 ?? 0) so far, the last \($0.shown("lastTime")) (\($0.shown("lastKind")))"
          }
          Terminal.say(
            "\(provider.providerID) notifications: \(provider.shown("notificationUrl")), "
              + (received ?? "none so far"))
        }
      }
    }
  }
}

extension ProjectClient {
  /// All pages.
  fileprivate func all(_ collection: String) async throws -> [JSONObject] {
    var all: [JSONObject] = []
    var token: String?
    repeat {
      let page = try await send(.get, collection, query: ["pageToken": token])
      all += page.objects(collection)
      token = page["nextPageToken"]?.string
    } while token != nil
    return all
  }
}

struct RemoveProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a provider. Accounts keep their identities.")

  @Argument(help: "The provider, such as google or oidc.example.")
  var id: String

  @OptionGroup var change: ProviderChange

  func run() async throws {
    try await change.project.run { project in
      let (id, _) = try await project.provider(id)
      try change.confirmation.confirm("Remove \(id)? Users can't sign in with it then.")
      let answer = try await project.send(
        .delete, ProjectClient.collection(of: id), id.text)
      project.say(answer) { Terminal.say("Removed.") }
    }
  }
}
