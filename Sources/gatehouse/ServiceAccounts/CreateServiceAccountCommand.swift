import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseTokens

struct CreateServiceAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make a service account, and its credential as a file for Google's Admin SDKs.")

  @Argument(help: "A name, of which NAME@PROJECT.iam.gserviceaccount.com is made; or an email.")
  var name: String

  @Option(help: "customTokens or admin; may be repeated. customTokens without it.")
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

/// Where a new key's credential goes.
struct CredentialFileOptions: ParsableArguments {
  @Option(name: [.long, .short], help: "The file to write. It must not exist.")
  var output: String

  @Option(help: "Where clients reach the server, if that isn't what the project's issuer says.")
  var publicURL: String?

  /// Makes a key, writes its file, and has the key registered.
  func write(
    for email: EmailAddress, of project: ProjectID, in database: OpenDatabase,
    register: (PublicKey) async throws -> Void
  ) async throws {
    guard let stored = try await database.store.read({ try $0.project(project) }) else {
      throw CommandFailure("there is no project “\(project)”")
    }
    var reader = SettingReader(flags: [Settings.publicURL.key: publicURL])
    // Nothing given is no fault here: the project knows.
    let given = reader.read(Settings.publicURL)
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    let key = try RSASigningKey.generate()
    // A server of `--dev` is on loopback.
    let serverURL = given ?? stored.publicURL ?? Settings.developmentURL
    let file = ServiceAccountFile(email, of: project, key: key, serverURL: serverURL)
    try await file.write(to: output) {
      try await withRemedies { try await register(try PublicKey(spkiDER: key.spkiDER)) }
    }
    Terminal.note("Wrote \(output). \(ServiceAccountFile.warning)")
  }
}
