import ArgumentParser
import Foundation
import GatehouseAPI
import GatehouseAccounts

struct UserDataCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "data",
    abstract: "Print everything that is stored about a user, as JSON without secrets.",
    discussion: "The user gets the same document from the app with accounts:export.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withAccount { accounts, project, account in
      let export = try await accounts.exportAccount(account.uid, in: project, now: Date())
      Terminal.say(String(decoding: export.json, as: UTF8.self))
    }
  }
}
