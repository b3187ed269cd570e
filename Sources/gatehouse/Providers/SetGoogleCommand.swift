import ArgumentParser
import GatehouseAccounts
import GatehouseModel

struct SetGoogleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "google", abstract: "Sign in with Google.",
    discussion: """
      Each platform has a client id of its own; name the web one with --client-id and the others \
      with --additional-client-id.
      """)

  @Option(help: "The client id of the web application.")
  var clientID: String?

  @Option(help: "A file with its client secret, for the web flow.")
  var clientSecretFile: String?

  @OptionGroup var options: ProviderOptions
  @OptionGroup var database: ProviderDatabase

  func run() async throws {
    let secret = try ProviderOptions.secret(in: clientSecretFile, "--client-secret-file")
    let project = try await database.change(.google) { [self] google, _ in
      google.clientID = clientID ?? google.clientID
      google.clientSecret = secret ?? google.clientSecret
      google.isEnabled = true
      options.apply(to: &google)
      guard !google.clientID.isEmpty else {
        throw CommandFailure("name the client with --client-id")
      }
    }
    Terminal.say("google.com is configured for \(project.id).")
    project.sayReturnURL(of: .google, "at Google (the web client's authorized redirect URIs)")
  }
}
