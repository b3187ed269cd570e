import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseModel

struct AddProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an OpenID Connect provider.",
    discussion: "Replaces one of the same name, so that it can be run again.")

  @Argument(help: "oidc. and a name of a–z, 0–9, . _ -")
  var id: String

  @Option(help: "https://… without /.well-known/openid-configuration, exactly as in its tokens.")
  var issuer: String

  @Option(help: "The client id that the provider gave.")
  var clientID: String

  @Option(help: "A file with the client secret, for the code flow.")
  var clientSecretFile: String?

  @Option(help: "What persons call it.")
  var displayName: String?

  @OptionGroup var options: ProviderOptions
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    guard let provider = ProviderID(id), provider.isValidOpenIDConnectName else {
      throw ValidationError(
        "“\(id)”: write oidc. and then 1 to 32 of a–z, 0–9, . _ -, beginning with a letter")
    }
    let components = URLComponents(string: issuer)
    let isLoopback = ServerConfiguration.isLoopback(components?.host ?? "")
    guard let components, components.query == nil, components.fragment == nil,
      components.host?.isEmpty == false,
      components.scheme == "https" || components.scheme == "http" && isLoopback
    else {
      throw ValidationError(
        "--issuer \(issuer): an https URL without query and fragment (http for loopback only)")
    }
  }

  func run() async throws {
    let secret = try clientSecretFile.map {
      try ProviderOptions.secret(in: $0, "--client-secret-file")
    }
    guard let id = ProviderID(id) else { return }
    var provider = ProviderConfiguration(new: id, clientID: clientID, development: false)
    provider.issuer = issuer
    provider.clientSecret = secret
    provider.displayName = displayName
    provider.isEnabled = true
    provider.responseType = ProviderConfiguration.ResponseType(
      code: secret != nil, idToken: secret == nil)
    options.apply(to: &provider)
    try ProviderOptions.check(provider)
    let made = provider
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      try await database.store.write { try $0.save(made, in: project) }
      Terminal.say(
        "\(id) is configured for \(project). Try it: gatehouse providers test \(id)")
    }
  }
}
