import ArgumentParser
import Foundation
import GatehouseServer

struct UserDataCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "data",
    abstract: "Print what is stored about a user, as JSON without secrets.",
    discussion: """
      The document has the account, its identities, live sessions and consents, and the latest 1000 \
      events. It says which tokens of providers are stored, and which work is queued at providers. \
      It leaves out the password's hash, all tokens, ended sessions, unused codes, emails that wait, \
      deliveries to hooks, and earlier events. The user gets the same document from the app with \
      accounts:export, but without administrators' names and addresses.
      """)

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withAccount { accounts, project, account in
      let export = try await accounts.exportAccount(account.uid, in: project, now: Date())
      Terminal.say(String(decoding: export.json, as: UTF8.self))
    }
  }
}
