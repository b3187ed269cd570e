import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

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

struct ListAccountKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a service account's keys.")

  @Argument(help: "The email, as `service-accounts list` shows it.") var email: EmailAddress

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let account = try await database.store.read { try $0.serviceAccount(email) }
      guard let account else { throw ServiceAccountError.unknown.remedy }
      var table = TextTable("KEY", "CREATED", "EXPIRES")
      for key in account.keys {
        table.add(
          key.id, key.createdAt.formatted(.iso8601),
          key.expiresAt?.formatted(.iso8601) ?? "never")
      }
      table.say()
    }
  }
}

struct CreateAccountKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create another key, and a file with its credential.")

  @Argument(help: "The email, as `service-accounts list` shows it.") var email: EmailAddress

  @OptionGroup var file: CredentialFileOptions
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let account = try await database.store.read { try $0.serviceAccount(email) }
      guard let account else { throw ServiceAccountError.unknown.remedy }
      let accounts = ServiceAccounts(store: database.store)
      try await file.write(for: email, of: account.project, in: database) { key in
        Terminal.say(try await accounts.add(key, to: email, now: Date()).id)
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

  @Argument(help: "The email, as `service-accounts list` shows it.") var email: EmailAddress

  @Argument(help: "A certificate or public key in PEM: RSA of 2048 to 8192 bits.")
  var file: String

  @OptionGroup var data: DataOptions

  func run() async throws {
    guard let pem = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw CommandFailure("the file \(file) can't be read")
    }
    let key = try Self.key(pem)
    try await data.withDatabase { database in
      let added = try await withRemedies {
        try await ServiceAccounts(store: database.store).add(key, to: email, now: Date())
      }
      Terminal.say(added.id)
    }
  }

  private static func key(_ pem: String) throws -> PublicKey {
    do {
      return try PublicKey(pem: pem)
    } catch let error as PublicKeyFileError {
      throw CommandFailure(error.description)
    } catch let error as PublicKeyError {
      throw CommandFailure(
        "the key is rejected (\(error.reason.rawValue)): it must be RSA of 2048 to 8192 bits")
    }
  }
}

struct DeleteAccountKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete keys, and the access tokens that were issued for them."
  )

  @Argument(help: "The email, as `service-accounts list` shows it.") var email: EmailAddress?

  @Argument(help: "The key's id, as `list` shows it.")
  var key: String?

  @Option(
    help: """
      Delete all keys that this administrator added over HTTP: the email of a service account, or the \
      first characters of an administrator's key, also of a deleted one.
      """)
  var addedBy: String?

  @OptionGroup var data: DataOptions

  func validate() throws {
    guard (addedBy == nil) == (email != nil && key != nil), addedBy == nil || email == nil else {
      throw ValidationError("give an email and a key, or --added-by")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      if let addedBy { return try await Self.deleteKeys(addedBy: addedBy, in: database) }
      // `validate()` has checked that both are given.
      guard let email, let key else { return }
      let wasThere = try await withRemedies {
        try await ServiceAccounts(store: database.store).deleteKey(key, of: email)
      }
      guard wasThere else {
        throw CommandFailure(
          "there is no key “\(key)”; `gatehouse service-accounts keys list \(email)` lists them")
      }
      Terminal.say("Deleted.")
    }
  }

  private static func deleteKeys(
    addedBy administrator: String, in database: OpenDatabase
  ) async throws {
    let accounts = ServiceAccounts(store: database.store)
    try await EventLinker(store: database.store).run()
    let keys = try await accounts.keys(addedBy: administrator)
    guard !keys.isEmpty else {
      return Terminal.say("There is no key that \(administrator) added.")
    }
    for (account, key) in keys where try await accounts.deleteKey(key, of: account) {
      Terminal.say("Deleted \(key) of \(account).")
    }
  }
}
