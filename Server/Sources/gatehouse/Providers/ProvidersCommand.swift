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
      connections to loopback are allowed. Name stand-ins with --set, as for serve.
      """)

  @Argument(help: "The provider, such as apple or oidc.example.")
  var id: String

  @OptionGroup var settings: SettingOptions
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run(settings: settings) { project in
      let (id, _) = try await project.provider(id)
      let answer = try await project.send(
        .post, ProjectClient.collection(of: id), id.text, verb: "test")
      let report = DoctorReport(answer.objects("findings").map { Finding($0) })
      try project.say(answer) { try report.say() }
      if !report.isHealthy { throw ExitCode.failure }
    }
  }
}

extension Finding {
  /// A finding in an answer of the API.
  init(_ object: JSONObject) {
    let remedy = object["remedy"]?.string ?? ""
    let verdict: Verdict =
      switch object["verdict"]?.string {
      case "ok": .ok
      case "warning": .warning(remedy: remedy)
      default: .failed(remedy: remedy)
      }
    self.init(object["check"]?.string ?? "", verdict, object["detail"]?.string ?? "")
  }
}
