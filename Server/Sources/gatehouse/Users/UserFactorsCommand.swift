import ArgumentParser
import GatehouseProtocol

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
    try await user.withUser { found in
      let factors = found.user.objects("mfaInfo")
      let passkeys = found.user.objects("passkeyInfo")
      if remove.isEmpty && !removeAll {
        return found.project.say(found.user) { list(factors, passkeys, of: found) }
      }
      let factorIDs = factors.map { $0.shown("mfaEnrollmentId") }
      let passkeyIDs = passkeys.map { $0.shown("credentialId") }
      if let unknown = remove.first(where: { !(factorIDs + passkeyIDs).contains($0) }) {
        throw CommandFailure("\(found.shownUID) has no factor or passkey “\(unknown.printable)”")
      }
      let kept =
        removeAll ? [] : factors.filter { !remove.contains($0.shown("mfaEnrollmentId")) }
      let removed = passkeyIDs.filter { remove.contains($0) }
      var changes = JSONObject()
      if kept.count < factors.count {
        changes["mfa"] = ["enrollments": .array(kept.map { .object($0) })]
      }
      if !removed.isEmpty { changes["deletePasskey"] = .array(removed.map { .string($0) }) }
      guard !changes.members.isEmpty else { return Terminal.say("There is nothing to remove.") }
      try await found.update(
        changes, saying: "\(factors.count - kept.count + removed.count) are removed")
    }
  }

  private func list(_ factors: [JSONObject], _ passkeys: [JSONObject], of found: UserClient) {
    guard !factors.isEmpty || !passkeys.isEmpty else {
      return Terminal.say("\(found.shownUID) has no second factor and no passkey.")
    }
    var table = TextTable("ID", "KIND", "NAME", "SINCE")
    for factor in factors {
      let phone = factor["unobfuscatedPhoneInfo"]?.string ?? factor["phoneInfo"]?.string
      table.add(
        factor.shown("mfaEnrollmentId"), phone ?? "authenticator app",
        factor.shown("displayName"), factor.shown("enrolledAt"))
    }
    for passkey in passkeys {
      table.add(
        passkey.shown("credentialId"), "passkey", passkey.shown("name"),
        passkey.time("createdAt") ?? "-")
    }
    table.say()
    let codes = found.user["recoveryCodesLeft"]?.number?.int64 ?? 0
    if !factors.isEmpty { Terminal.say("\(codes) recovery codes are left.") }
  }
}
