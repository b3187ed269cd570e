import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer
import GatehouseTokens

struct ServiceAccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service-accounts",
    abstract: "Machines that sign custom tokens or act as administrators.",
    discussion: """
      Roles: customTokens (its custom tokens sign users in) and admin (it administers its project \
      through Google's Admin SDKs). A running server applies every change at once.
      """,
    subcommands: [
      CreateServiceAccountCommand.self, ListServiceAccountsCommand.self,
      GrantRoleCommand.self, RevokeRoleCommand.self, ServiceAccountKeysCommand.self,
      DeleteServiceAccountCommand.self,
    ])

  static let hint = "`gatehouse service-accounts list` lists them"
}

extension ServiceAccount.Role: ExpressibleByArgument {}

extension JSONObject {
  /// A service account's roles.
  fileprivate var roleNames: String {
    let names = strings("roles")
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

/// Names a service account.
struct ServiceAccountArgument: ParsableArguments {
  @Argument(help: "The email, as `service-accounts list` shows it.")
  var email: String

  @OptionGroup var project: ProjectOptions
}

struct CreateServiceAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a service account, and a file with its credential for Google's Admin SDKs.")

  @Argument(help: "A name, for NAME@PROJECT.iam.gserviceaccount.com; or an email.")
  var name: String

  @Option(help: "customTokens or admin. May be repeated. Default: customTokens.")
  var role: [ServiceAccount.Role] = []

  @OptionGroup var file: CredentialFileOptions
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    let roles: Set<ServiceAccount.Role> = role.isEmpty ? [.customTokens] : Set(role)
    try await project.run { project in
      try file.checkTarget()
      var body = JSONObject(ifPresent: [
        "accountId": name.contains("@") ? nil : name, "email": name.contains("@") ? name : nil,
      ])
      body["roles"] = .array(roles.map(\.rawValue).sorted().map { .string($0) })
      let account = try await project.send(.post, "serviceAccounts", body: body)
      let email = account.shown("email")
      try await file.write(for: email, of: project)
      project.say(account) {
        Terminal.say("\(email)  \(account.roleNames)")
        if !roles.contains(.admin) {
          Terminal.note(
            "To let it administer the project: gatehouse service-accounts grant \(email) admin")
        }
      }
    }
  }
}

/// The file for a new key's credential.
struct CredentialFileOptions: ParsableArguments {
  @Option(name: [.long, .short], help: "The file to write. It must not exist.")
  var output: String

  func checkTarget() throws {
    if FileManager.default.fileExists(atPath: output) {
      throw CommandFailure(
        "there is a file at \(output) already; it was not replaced. Name another with --output")
    }
  }

  /// Has a key created, and writes its credential to the file.
  ///
  /// - Returns: The key's name.
  @discardableResult
  func write(for email: String, of project: ProjectClient) async throws -> String {
    // Created first: a credential that can't be written is lost.
    try PrivateFile.make(output, with: Data())
    do {
      let key = try await project.send(
        .post, "serviceAccounts", email, "keys", body: [:], hint: ServiceAccountsCommand.hint)
      guard let file = key["privateKeyData"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
        throw CommandFailure("the server's answer has no credential")
      }
      try? FileManager.default.removeItem(atPath: output)
      try PrivateFile.make(output, with: file)
      Terminal.note(
        "Wrote \(output). It contains a private key: anyone who has the file can act as this service "
          + "account. Never register its key at Google as well: its signatures would be valid at both."
      )
      return key.shown("name")
    } catch {
      try? FileManager.default.removeItem(atPath: output)
      throw error
    }
  }
}

struct GrantRoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant", abstract: "Give a service account a role.")

  @OptionGroup var named: RoleArguments

  func run() async throws { try await named.change { $0 + [$1] } }
}

struct RevokeRoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take a role and its rights from a service account.")

  @OptionGroup var named: RoleArguments

  func run() async throws { try await named.change { roles, role in roles.filter { $0 != role } } }
}

struct RoleArguments: ParsableArguments {
  @Argument(help: "The email, as `service-accounts list` shows it.") var email: String

  @Argument(help: "customTokens or admin.")
  var role: ServiceAccount.Role

  @OptionGroup var project: ProjectOptions

  func change(_ change: @escaping ([String], String) -> [String]) async throws {
    try await project.run { project in
      let account = try await project.send(
        .get, "serviceAccounts", email, hint: ServiceAccountsCommand.hint)
      let roles = change(account.strings("roles"), role.rawValue)
      let changed = try await project.send(
        .patch, "serviceAccounts", email,
        body: ["roles": .array(Set(roles).sorted().map { .string($0) })])
      project.say(changed) { Terminal.say("\(email)  \(changed.roleNames)") }
    }
  }
}

struct ListServiceAccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's service accounts, with their roles.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let answer = try await project.send(.get, "serviceAccounts")
      project.say(answer) {
        var table = TextTable("EMAIL", "ROLES", "KEYS", "CREATED")
        for account in answer.objects("accounts") {
          table.add(
            account.shown("email"), account.roleNames, String(account.objects("keys").count),
            account.shown("createTime"))
        }
        table.say()
      }
    }
  }
}

struct DeleteServiceAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a service account, its keys and its access tokens.",
    discussion: "Users who signed in with its custom tokens stay signed in.")

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var account: ServiceAccountArgument

  func run() async throws {
    try await account.project.run { project in
      try confirmation.confirm("Delete \(account.email)? Its programs are then refused.")
      let answer = try await project.send(
        .delete, "serviceAccounts", account.email, hint: ServiceAccountsCommand.hint)
      project.say(answer) { Terminal.say("Deleted \(account.email).") }
      if !project.client.printsJSON {
        try await project.client.sayWhatIsLeft(by: account.email)
      }
    }
  }
}

extension AdministrationClient {
  /// A key that an administrator added signs users in also when the administrator is gone.
  func sayWhatIsLeft(by administrator: String) async throws {
    let answer: JSONObject
    do {
      answer = try await send(
        .get, ["v2", "server", "serviceAccountKeys"], query: ["addedBy": administrator])
    } catch let refusal as AdministrationRefusal where refusal.status == 403 {
      return Terminal.note(
        "An owner of all projects sees which keys it had added: gatehouse service-accounts keys delete "
          + "--added-by \(administrator)")
    }
    let left = answer.objects("keys")
    if !left.isEmpty {
      Terminal.say("It had added keys, which still sign custom tokens:")
      for key in left { Terminal.say("  \(key.shown("name"))") }
      Terminal.say(
        "To delete them: gatehouse service-accounts keys delete --added-by \(administrator)")
    }
    Terminal.note(
      "What it changed: gatehouse audit list --by \(administrator), and the same with --server-log."
    )
  }
}
