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
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let secret = try clientSecretFile.map {
      try ProviderOptions.secret(in: $0, "--client-secret-file")
    }
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      try await database.store.write { [self] transaction in
        var google =
          try transaction.provider(.google, in: project)
          ?? ProviderConfiguration(new: .google, development: false)
        google.clientID = clientID ?? google.clientID
        google.clientSecret = secret ?? google.clientSecret
        google.isEnabled = true
        options.apply(to: &google)
        guard !google.clientID.isEmpty else {
          throw CommandFailure("name the client with --client-id")
        }
        try ProviderOptions.check(google)
        try transaction.save(google, in: project)
      }
      Terminal.say("google.com is configured for \(project).")
    }
  }
}
