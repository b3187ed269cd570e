import ArgumentParser
import GatehouseServer
import GatehouseProtocol

/// Configures a vendor that needs a client id and a client secret, and no other settings.
struct SetVendorCommand<Vendor: VendorName>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Vendor.kind.name, abstract: "Sign in with \(Vendor.kind.displayName).",
      discussion: Vendor.discussion)
  }

  @Option(help: "The client id of the web application.")
  var clientID: String?

  @Option(help: "A file with the client secret.")
  var clientSecretFile: String?

  @OptionGroup var options: ProviderOptions
  @OptionGroup var change: ProviderChange

  func run() async throws {
    guard let id = Vendor.kind.id else { throw ExitCode.validationFailure }
    let secret = try ProviderOptions.secret(in: clientSecretFile, "--client-secret-file")
    try await change.run(id) { members, known in
      guard clientID ?? known?["clientId"]?.string != nil else {
        throw CommandFailure("name the client with --client-id")
      }
      members.set("enabled", options.signIn ?? true)
      members.set("clientId", clientID)
      members.set("clientSecret", secret?.reveal())
      options.apply(to: &members)
    }
  }
}

/// The vendor of a command. It is a type, because commands are types.
protocol VendorName: Sendable {
  static var id: ProviderID { get }
  static var discussion: String { get }
}

extension VendorName {
  static var kind: ProviderKind {
    IdentityProviders.kind(of: id) ?? ProviderKind(id: id, name: id.text, displayName: id.text)
  }
}

enum Google: VendorName {
  static let id = ProviderID.google
  static let discussion = """
    Each platform has its own client id: give the web application's client id with --client-id and \
    the others with --additional-client-id. The client secret is for sign-in in a browser.
    """
}

enum GitHub: VendorName {
  static let id = ProviderID.github
  static let discussion = """
    Register an OAuth app at GitHub: Settings, Developer settings, OAuth apps. Or register a \
    GitHub App with the account permission "Email addresses: read-only". GitHub issues no ID \
    tokens, so the server asks GitHub about each access token. It needs the client secret for \
    this. Test the configuration with `gatehouse providers test github.com`.
    """
}
