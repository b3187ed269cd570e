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
  @OptionGroup var change: ProviderChange

  func run() async throws {
    let secret = try ProviderOptions.secret(in: appSecretFile, "--app-secret-file")
    try await change.run(.facebook) { members, known in
      guard appID ?? known?["clientId"]?.string != nil else {
        throw CommandFailure("name the app with --app-id")
      }
      members.set("enabled", options.signIn ?? true)
      members.set("clientId", appID)
      members.set("clientSecret", secret?.reveal())
      options.apply(to: &members)
    }
  }
}
