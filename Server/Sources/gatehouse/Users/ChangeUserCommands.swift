import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

struct DisableUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Disable an account: its user can't sign in, refresh or make calls.",
    discussion: "Nothing is deleted. `gatehouse users enable` enables the account again.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.change { $0.isDisabled = true }
    Terminal.say("Disabled.")
  }
}

struct EnableUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Enable an account that was disabled.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.change { $0.isDisabled = false }
    Terminal.say("Enabled.")
  }
}

struct RevokeUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End an account's sessions. Its user can sign in again.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.change { $0.validSince = Date() }
    Terminal.say("Every session is ended.")
  }
}

struct RevokeAllCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke-all",
    abstract: "End the sessions of all accounts. Every user has to sign in again.",
    discussion: """
      For an incident, such as a stolen master key. Sessions that begin after the command's start \
      continue. If the command is interrupted, run it again.
      """)

  @Option(help: "Only this project's accounts.")
  var project: String?

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let known = try await database.store.read { try $0.projects() }.map(\.id.text)
      let accounts = try await database.accounts()
      var progress = Progress()
      for id in project.map({ [$0] }) ?? known {
        let found = try await database.project(try await ProjectOption.resolve(id, in: database))
        let count = try await accounts.revokeAll(in: found, now: Date()) { count in
          progress.show(count) { "Revoked \(count), \($0)/s" }
        }
        progress.clear()
        Terminal.say("\(id): the sessions of \(count) accounts are ended.")
      }
    }
  }
}

struct SetClaimsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-claims", abstract: "Set the custom claims of an account's ID tokens.",
    discussion: "ID tokens contain the new claims from the next sign-in or refresh on.")

  @OptionGroup var user: UserArgument

  @Option(help: "A JSON object such as {\"role\":\"editor\"}; {} removes them.")
  var claims: String

  func run() async throws {
    let claims = try Self.read(claims)
    try await user.change { $0.customClaims = claims.isEmpty ? .remove : .set(claims) }
    Terminal.say(claims.isEmpty ? "Removed." : "Set.")
  }

  private static func read(_ text: String) throws -> CustomClaims {
    do {
      return try CustomClaims(jsonText: text)
    } catch {
      switch error {
      case .invalid:
        throw CommandFailure("--claims: not a JSON object; in a shell, put it in single quotes")
      case .tooLarge:
        throw CommandFailure("--claims: at most \(CustomClaims.greatestLength) characters")
      case .forbidden(let name):
        throw CommandFailure("--claims: “\(name)” is reserved by the protocol; choose another name")
      }
    }
  }
}

struct KeepUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep", abstract: "Withdraw the deletion of an account in its grace period.",
    discussion: "The user has to sign in again.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withAccount { accounts, project, account in
      guard
        try await accounts.keepScheduledAccount(
          account.uid, in: project, now: Date())
      else {
        throw CommandFailure("\(account.uid) is not going to be deleted")
      }
      Terminal.say("\(account.uid) is kept.")
    }
  }
}

struct DeleteUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an account permanently.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withAccount { accounts, project, account in
      let receipt = try await accounts.deleteAccount(
        account.uid, in: project, now: Date()
      ).receipt
      Terminal.say("Deleted \(account.uid).")
      Terminal.say("Receipt: \(receipt)")
    }
  }
}

extension UserArgument {
  fileprivate func change(_ change: (inout AdministratorChanges) -> Void) async throws {
    var changes = AdministratorChanges()
    change(&changes)
    try await withAccount { [changes] accounts, project, account in
      _ = try await accounts.updateAccount(account.uid, with: changes, in: project, now: Date())
    }
  }
}
