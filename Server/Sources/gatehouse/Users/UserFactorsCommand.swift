import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct UserFactorsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "factors",
    abstract: "List the second factors of an account, or remove them.",
    discussion: """
      Remove the factors of a user who lost them and has no recovery code, after you made sure who asks. \
      The recovery codes go with the last factor.
      """)

  @Option(help: "Remove the factor with this id. May be repeated.")
  var remove: [String] = []

  @Flag(help: "Remove every factor.")
  var removeAll = false

  @OptionGroup var user: UserArgument

  func validate() throws {
    if removeAll && !remove.isEmpty { throw ValidationError("give --remove or --remove-all") }
  }

  func run() async throws {
    try await user.withAccount { accounts, project, account in
      let factors = account.secondFactors?.factors ?? []
      guard remove.isEmpty && !removeAll else {
        if let unknown = remove.first(where: { id in !factors.contains { $0.id == id } }) {
          throw CommandFailure("\(account.uid) has no second factor “\(unknown)”".printable)
        }
        var changes = AdministratorChanges()
        let kept = removeAll ? [] : factors.filter { !remove.contains($0.id) }
        changes.secondFactors = kept.map { AssignedFactor(keeping: $0) }
        _ = try await accounts.updateAccount(
          account.uid, with: changes, in: project, now: Date())
        return Terminal.say("\(factors.count - kept.count) second factors are removed.")
      }
      guard !factors.isEmpty else {
        return Terminal.say("\(account.uid) has no second factor.".printable)
      }
      var table = TextTable("FACTOR", "KIND", "NAME", "ENROLLED")
      for factor in factors {
        table.add(
          factor.id, factor.shownKind, (factor.name ?? "").printable,
          factor.enrolledAt.formatted(.iso8601))
      }
      table.say()
      let codes = account.secondFactors?.recoveryCodes.count ?? 0
      Terminal.say("\(codes) recovery codes are left.")
    }
  }
}

extension SecondFactor {
  fileprivate var shownKind: String {
    switch kind {
    case .phone(let number): number.text
    case .totp: "authenticator app"
    }
  }
}
