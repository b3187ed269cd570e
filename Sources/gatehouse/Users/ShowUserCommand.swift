import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseModel
import GatehouseTokens

struct ShowUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an account: profile, identities, claims and times.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withAccount { _, _, account in
      for (name, value) in Self.lines(account) {
        guard let value else { continue }
        Terminal.say(name.padding(toLength: 16, withPad: " ", startingAt: 0) + value.printable)
      }
    }
  }

  private static func lines(_ account: Account) -> [(String, String?)] {
    let email = account.email.map { "\($0) (\(account.isEmailVerified ? "" : "not ")verified)" }
    var lines: [(String, String?)] = [
      ("id", account.uid.text), ("email", email), ("phone number", account.phoneNumber),
      ("name", account.displayName), ("photo", account.photoURL),
      ("state", account.isDisabled ? "disabled" : "enabled"),
      ("erased on", account.deletionScheduledFor?.formatted(.iso8601)),
      ("password", account.passwordUpdatedAt.map { "set \($0.formatted(.iso8601))" }),
    ]
    for identity in account.identities {
      lines.append((identity.provider.text, identity.subject.text))
    }
    return lines + [
      ("claims", account.customClaims?.jsonText),
      ("created", account.createdAt.formatted(.iso8601)),
      ("last sign-in", account.lastLoginAt?.formatted(.iso8601)),
      ("tokens since", account.validSince.formatted(.iso8601)),
    ]
  }
}
