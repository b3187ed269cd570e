import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

struct UserFactorsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "factors",
    abstract: "List the second factors and the passkeys of an account, or remove them.",
    discussion: """
      Remove the factors of a user who lost them and has no recovery code, after you made sure who asks. \
      The recovery codes go with the last second factor.
      """)

  @Option(help: "Remove the factor or passkey with this id. May be repeated.")
  var remove: [String] = []

  @Flag(help: "Remove every second factor. Passkeys stay, because they sign in.")
  var removeAll = false

  @OptionGroup var user: UserArgument

  func validate() throws {
    if removeAll && !remove.isEmpty { throw ValidationError("give --remove or --remove-all") }
  }

  func run() async throws {
    try await user.withAccount { accounts, project, account in
      let factors = account.secondFactors?.factors ?? []
      let passkeys = try await accounts.passkeys(of: account, in: project)
      if remove.isEmpty && !removeAll { return list(factors, passkeys, of: account) }
      if let unknown = remove.first(where: { id in
        !factors.contains { $0.id == id } && !passkeys.contains { $0.shownID == id }
      }) {
        throw CommandFailure("\(account.uid) has no factor or passkey “\(unknown)”".printable)
      }
      var changes = AdministratorChanges()
      let kept = removeAll ? [] : factors.filter { !remove.contains($0.id) }
      if kept.count < factors.count {
        changes.secondFactors = kept.map { AssignedFactor(keeping: $0) }
      }
      let removed = passkeys.filter { remove.contains($0.shownID) }
      changes.profile.removedPasskeys = removed.map(\.credentialID)
      _ = try await accounts.updateAccount(account.uid, with: changes, in: project, now: Date())
      Terminal.say("\(factors.count - kept.count + removed.count) are removed.")
    }
  }

  private func list(_ factors: [SecondFactor], _ passkeys: [Passkey], of account: Account) {
    guard !factors.isEmpty || !passkeys.isEmpty else {
      return Terminal.say("\(account.uid) has no second factor and no passkey.".printable)
    }
    var table = TextTable("ID", "KIND", "NAME", "SINCE")
    for factor in factors {
      table.add(
        factor.id, factor.shownKind, (factor.name ?? "").printable,
        factor.enrolledAt.formatted(.iso8601))
    }
    for passkey in passkeys {
      table.add(
        passkey.shownID, "passkey", passkey.name.printable, passkey.createdAt.formatted(.iso8601))
    }
    table.say()
    let codes = account.secondFactors?.recoveryCodes.count ?? 0
    if !factors.isEmpty { Terminal.say("\(codes) recovery codes are left.") }
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

extension Passkey {
  /// `credentialId` of the protocol.
  fileprivate var shownID: String { Data(credentialID).base64EncodedString() }
}
