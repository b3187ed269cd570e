import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseModel

struct ListUsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's accounts in the order of their ids.")

  @Option(help: "The maximum of accounts to list, from 1 to 1000.")
  var limit = 50

  @Option(help: "Continue after this id.")
  var after: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if !(1...1000).contains(limit) { throw ValidationError("--limit \(limit): from 1 to 1000") }
    if let after, UID(after) == nil {
      throw ValidationError("--after \(after): not an account's id")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await database.project(try await project.resolve(in: database))
      let accounts = try await database.accounts()
      let page = try await accounts.accounts(
        after: after.flatMap { UID($0) }, pageSize: limit, in: project)
      var table = TextTable("ID", "EMAIL", "STATE", "SIGN-IN", "LAST SIGN-IN")
      for account in page.accounts {
        table.add(
          account.uid.text, account.email?.text ?? "-", account.isDisabled ? "disabled" : "enabled",
          account.signInMethods.joined(separator: ","),
          account.lastLoginAt?.formatted(.iso8601) ?? "never")
      }
      table.say()
      let count = try await accounts.countAccounts(in: project)
      Terminal.note("\(page.accounts.count) of \(count) accounts.")
      if let next = page.next { Terminal.note("More: --after \(next)") }
    }
  }
}

extension Account {
  /// The methods with which the user can sign in.
  var signInMethods: [String] {
    let methods =
      (password == nil ? [] : [ProviderID.password.text])
      + (phoneNumber == nil ? [] : [ProviderID.phone.text]) + identities.map(\.provider.text)
    return methods.isEmpty ? ["-"] : methods
  }
}
