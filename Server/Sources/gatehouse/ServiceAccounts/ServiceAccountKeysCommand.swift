import ArgumentParser
import Foundation
import GatehouseProtocol

struct ServiceAccountKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "The public keys of a service account.",
    discussion: """
      To replace a key without interruption, create another, give its file to the program, and \
      then delete the old key.
      """,
    subcommands: [
      ListAccountKeysCommand.self, CreateAccountKeyCommand.self, AddAccountKeyCommand.self,
      DeleteAccountKeyCommand.self,
    ])
}

extension JSONObject {
  /// The last part of a resource's name.
  fileprivate var id: String {
    self["name"]?.string.flatMap { $0.split(separator: "/").last }.map(String.init) ?? ""
  }
}

struct ListAccountKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a service account's keys.")

  @OptionGroup var account: ServiceAccountArgument

  func run() async throws {
    try await account.project.run { project in
      let found = try await project.send(
        .get, "serviceAccounts", account.email, hint: ServiceAccountsCommand.hint)
      project.say(found) {
        var table = TextTable("KEY", "CREATED", "EXPIRES")
        for key in found.objects("keys") {
          table.add(
            key.id, key.shown("validAfterTime"), key["validBeforeTime"]?.string ?? "never")
        }
        table.say()
      }
    }
  }
}

struct CreateAccountKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create another key, and a file with its credential.")

  @OptionGroup var file: CredentialFileOptions
  @OptionGroup var account: ServiceAccountArgument

  func run() async throws {
    try await account.project.run { project in
      try file.checkTarget()
      let name = try await file.write(for: account.email, of: project)
      project.say(["name": .string(name)]) {
        Terminal.say(name.split(separator: "/").last.map(String.init) ?? name)
      }
    }
  }
}

struct AddAccountKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Register a public key, without giving its private key to the server.",
    discussion: """
      Never register a key that is registered at Google too: a signature for one would be valid at \
      the other.
      """)

  @Argument(help: "The email, as `service-accounts list` shows it.") var email: String

  @Argument(help: "A certificate or public key in PEM: RSA of 2048 to 8192 bits.")
  var file: String

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    guard let pem = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
      throw CommandFailure("the file \(file) can't be read")
    }
    try await project.run { project in
      let key = try await project.send(
        .post, "serviceAccounts", email, "keys",
        body: ["publicKeyData": .string(pem.base64EncodedString())],
        hint: ServiceAccountsCommand.hint)
      project.say(key) { Terminal.say(key.id) }
    }
  }
}

struct DeleteAccountKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete keys, and the access tokens that were issued for them."
  )

  @Argument(help: "The email, as `service-accounts list` shows it.") var email: String?

  @Argument(help: "The key's id, as `list` shows it.")
  var key: String?

  @Option(
    help: """
      Delete all keys that this administrator added over HTTP: the email of a service account, or the \
      first characters of an administrator's key, also of a deleted one.
      """)
  var addedBy: String?

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var project: ProjectOptions

  func validate() throws {
    guard (addedBy == nil) == (email != nil && key != nil), addedBy == nil || email == nil else {
      throw ValidationError("give an email and a key, or --added-by")
    }
  }

  func run() async throws {
    if let addedBy { return try await deleteKeys(addedBy: addedBy) }
    // `validate()` has checked that both are given.
    guard let email, let key else { return }
    try await project.run { project in
      try confirmation.confirm("Delete the key \(key) of \(email)?")
      let answer = try await project.send(
        .delete, "serviceAccounts", email, "keys", key,
        hint: "`gatehouse service-accounts keys list \(email)` lists them")
      project.say(answer) { Terminal.say("Deleted \(key) of \(email).") }
    }
  }

  private func deleteKeys(addedBy administrator: String) async throws {
    try await project.administration.withClient { client in
      let found = try await client.send(
        .get, ["v2", "server", "serviceAccountKeys"], query: ["addedBy": administrator])
      let names = found.objects("keys").compactMap { $0["name"]?.string }
      guard !names.isEmpty else {
        return client.say(found) {
          Terminal.say("There is no key that \(administrator) added.")
        }
      }
      try confirmation.confirm("Delete \(names.count) keys that \(administrator) added?")
      for name in names {
        let answer = try await client.send(
          .delete, ["v2"] + name.split(separator: "/").map(String.init))
        client.say(answer) { Terminal.say("Deleted \(name).") }
      }
    }
  }
}
