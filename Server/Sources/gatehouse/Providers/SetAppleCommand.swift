import ArgumentParser
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
  @OptionGroup var change: ProviderChange

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
    try await change.run(.apple) { members, _ in
      members.set("enabled", options.signIn ?? true)
      members.set("clientId", serviceID)
      members.set("appleSignInConfig.bundleIds", bundleID)
      members.set("appleSignInConfig.codeFlowConfig.teamId", teamID)
      members.set("appleSignInConfig.codeFlowConfig.keyId", keyID)
      members.set("appleSignInConfig.codeFlowConfig.privateKey", key?.reveal())
      options.apply(to: &members)
    } report: { apple, _ in
      let audiences = apple.strings("audiences")
      Terminal.say(
        audiences.isEmpty
          ? "No app can sign in yet: give --bundle-id, or register an app with `gatehouse apps add`."
          : "ID tokens are accepted for: \(audiences.joined(separator: ", ").printable)")
    }
  }
}
