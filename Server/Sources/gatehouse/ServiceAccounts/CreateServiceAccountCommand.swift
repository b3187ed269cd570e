import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

struct CreateServiceAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a service account, and a file with its credential for Google's Admin SDKs.")

  @Argument(help: "A name, for NAME@PROJECT.iam.gserviceaccount.com; or an email.")
  var name: String

  @Option(help: "customTokens or admin. May be repeated. Default: customTokens.")
  var role: [ServiceAccount.Role] = []

  @OptionGroup var file: CredentialFileOptions
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let email = try email(in: project)
      let roles: Set<ServiceAccount.Role> = role.isEmpty ? [.customTokens] : Set(role)
      let accounts = ServiceAccounts(store: database.store)
      try await file.write(for: email, of: project, in: database) { key in
        let made = try await accounts.create(
          email, in: project, roles: roles, key: key, now: Date())
        Terminal.say("\(made.email)  \(made.roleNames)")
      }
      if !roles.contains(.admin) {
        Terminal.note(
          "To let it administer the project: gatehouse service-accounts grant \(email) admin")
      }
    }
  }

  private func email(in project: ProjectID) throws -> EmailAddress {
    let text = name.contains("@") ? name : "\(name)@\(project).iam.gserviceaccount.com"
    guard let email = EmailAddress(text) else {
      throw CommandFailure("“\(name)” is neither a name (a–z, 0–9, -) nor an email")
    }
    return email
  }
}

/// The file for a new key's credential.
struct CredentialFileOptions: ParsableArguments {
  @Option(name: [.long, .short], help: "The file to write. It must not exist.")
  var output: String

  @Option(help: "The URL at which clients reach the server, if it isn't the one in the issuer.")
  var publicURL: String?

  /// Creates a key, writes its file, and registers the key.
  func write(
    for email: EmailAddress, of project: ProjectID, in database: OpenDatabase,
    register: (PublicKey) async throws -> Void
  ) async throws {
    guard let stored = try await database.store.read({ try $0.project(project) }) else {
      throw CommandFailure("there is no project “\(project)”")
    }
    var reader = SettingReader(flags: [Settings.publicURL.key: publicURL])
    // A missing URL is not a fault here: the project's issuer contains it.
    let given = reader.read(Settings.publicURL)
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    let key = try RSASigningKey.generate()
    // The issuer of a `--dev` project contains no URL of the server, which is on loopback.
    let serverURL = given ?? stored.publicURL ?? Settings.developmentURL
    let file = ServiceAccountFile(email, of: project, key: key, serverURL: serverURL)
    try await file.write(to: output) {
      try await withRemedies { try await register(try PublicKey(spkiDER: key.spkiDER)) }
    }
    Terminal.note("Wrote \(output). \(ServiceAccountFile.warning)")
  }
}
