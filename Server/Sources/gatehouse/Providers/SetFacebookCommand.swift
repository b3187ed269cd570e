import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct SetFacebookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "facebook", abstract: "Sign in with Facebook.",
    discussion: """
      The server needs the app secret to ask Facebook about access tokens. Limited Login doesn't \
      need it. Test both with `gatehouse providers test facebook.com`.
      """)

  @Option(help: "The app id, which consists of digits.")
  var appID: String?

  @Option(help: "A file with the app secret.")
  var appSecretFile: String?

  @OptionGroup var options: ProviderOptions
  @OptionGroup var database: ProviderDatabase

  func run() async throws {
    let secret = try ProviderOptions.secret(in: appSecretFile, "--app-secret-file")
    let project = try await database.change(.facebook) { [self] facebook, _ in
      facebook.clientID = appID ?? facebook.clientID
      facebook.clientSecret = secret ?? facebook.clientSecret
      facebook.isEnabled = true
      options.apply(to: &facebook)
      guard !facebook.clientID.isEmpty else {
        throw CommandFailure("name the app with --app-id")
      }
    }
    Terminal.say("facebook.com is configured for \(project.id).")
    project.sayReturnURL(of: .facebook)
  }
}
