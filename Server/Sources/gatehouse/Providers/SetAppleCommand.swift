import ArgumentParser
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

struct SetAppleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apple", abstract: "Sign in with Apple.",
    discussion: """
      Native apps need only their bundle id; apps that `gatehouse apps add` registered are known. \
      The web flow needs the team id, the key and the Services ID. The team id and the key are also \
      needed to revoke Apple's tokens when an account is deleted. Test the configuration with \
      `gatehouse providers test apple.com`.
      """)

  @Option(help: "The team id, ten characters, from Apple's membership page.")
  var teamID: String?

  @Option(help: "The key id, ten characters.")
  var keyID: String?

  @Option(help: "The file with the private key: AuthKey_….p8")
  var keyFile: String?

  @Option(help: "The Services ID, for the web flow.")
  var serviceID: String?

  @Option(help: "An app's bundle id. May be repeated; replaces the former ones.")
  var bundleID: [String] = []

  @OptionGroup var options: ProviderOptions
  @OptionGroup var database: ProviderDatabase

  func validate() throws {
    for (flag, value) in [("--team-id", teamID), ("--key-id", keyID)] {
      guard let value else { continue }
      guard value.utf8.count == 10, value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { throw ValidationError("\(flag) \(value): must be ten letters and digits") }
    }
  }

  func run() async throws {
    let key = try ProviderOptions.secret(in: keyFile, "--key-file")
    if let key, (try? ES256Signer(pem: key.reveal(), keyID: keyID ?? "")) == nil {
      throw CommandFailure(
        "--key-file \(keyFile ?? ""): not the P-256 private key that Apple issues as AuthKey_….p8")
    }
    let project = try await database.change(.apple) { [self] apple, _ in
      apply(key, to: &apple)
    }
    let audiences = try await database.data.withDatabase { open in
      try await open.store.read {
        try $0.providerWithApps(.apple, in: project.id)?.audiences ?? []
      }
    }
    Terminal.say("apple.com is configured for \(project.id).")
    Terminal.say(
      audiences.isEmpty
        ? "No app can sign in yet: give --bundle-id, or register an app with `gatehouse apps add`."
        : "ID tokens are accepted for: \(audiences.joined(separator: ", "))")
    project.sayReturnURL(of: .apple)
  }

  private func apply(_ key: Secret<String>?, to apple: inout ProviderConfiguration) {
    apple.clientID = serviceID ?? apple.clientID
    var settings = apple.apple ?? ProviderConfiguration.AppleSettings(bundleIDs: [])
    if !bundleID.isEmpty { settings.bundleIDs = bundleID }
    settings.teamID = teamID ?? settings.teamID
    settings.keyID = keyID ?? settings.keyID
    settings.privateKey = key ?? settings.privateKey
    apple.apple = settings
    apple.isEnabled = true
    options.apply(to: &apple)
  }
}
