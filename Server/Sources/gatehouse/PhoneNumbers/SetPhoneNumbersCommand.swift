import ArgumentParser
import GatehouseProtocol
import GatehouseServer

struct SetPhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change how a project's users sign in by phone number.",
    discussion: """
      Options that aren't given stay unchanged. Limits other than the daily one are policies: \
      `gatehouse projects show` lists them as phone.….
      """)

  @Flag(inversion: .prefixedEnableDisable, help: "Whether users can sign in with their numbers.")
  var signIn: Bool?

  @Option(
    help:
      "The https URL that is called for each code; without --server, http is allowed for this machine."
  )
  var webhook: String?

  @Option(
    help: """
      A file with the webhook's secret, whsec_…. Without it, a secret for a new webhook is created \
      and shown once.
      """)
  var webhookSecretFile: String?

  @Flag(help: "Remove the webhook: no more codes are sent.")
  var noWebhook = false

  @Option(
    help: """
      The beginning of numbers to which codes are sent, such as +49; + allows every number. May be \
      repeated; replaces the former prefixes.
      """)
  var prefix: [String] = []

  @Option(
    help: """
      The maximum number of text messages in 24 hours, from 1 to 1000000. A new project has 1000, except in \
      --dev.
      """)
  var messagesPerDay: Int?

  @Option(
    help: """
      A number with a fixed code, to which nothing is sent, as in +15555550100=123456. May be \
      repeated; replaces the former numbers.
      """)
  var testNumber: [String] = []

  @Flag(help: "Remove all test numbers.")
  var noTestNumbers = false

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if noWebhook && (webhook != nil || webhookSecretFile != nil) {
      throw ValidationError("give --webhook or --no-webhook")
    }
    if noTestNumbers && !testNumber.isEmpty {
      throw ValidationError("give --test-number or --no-test-numbers")
    }
    if signIn == nil && webhook == nil && webhookSecretFile == nil && !noWebhook && prefix.isEmpty
      && messagesPerDay == nil && testNumber.isEmpty && !noTestNumbers
    {
      throw ValidationError(
        "nothing to set: give --enable-sign-in, --webhook, --prefix, --messages-per-day or "
          + "--test-number")
    }
  }

  func run() async throws {
    let secret = try ProviderOptions.secret(in: webhookSecretFile, "--webhook-secret-file")
    let policy = try policy()
    try await project.run { project in
      let old = try await project.send(.get, "config")["policies"]?["phone"]?.object ?? [:]
      try confirmLoss(of: old, in: project.project)
      var answer = JSONObject()
      if !policy.members.isEmpty {
        answer = try await project.send(
          .patch, "config", query: ["updateMask": "policies"],
          body: ["policies": ["phone": .object(policy)]])
      }
      if noWebhook {
        answer = try await project.send(.delete, "codeWebhook", hint: PhoneNumbersCommand.hint)
      } else if webhook != nil || secret != nil {
        answer = try await project.send(
          .patch, "codeWebhook",
          body: JSONObject(ifPresent: ["url": webhook, "secret": secret?.reveal()]))
      }
      project.say(answer) {
        Terminal.say("The phone number settings of \(project.project) are changed.")
        if signIn == nil, old["isEnabled"]?.bool != true {
          Terminal.say("Sign-in by phone number is off: turn it on with --enable-sign-in.")
        }
        answer.saySecret("The webhook's secret", verifiedBy: "your receiver")
        if webhook != nil || secret != nil {
          Terminal.say("Try it: gatehouse phone-numbers test --project \(project.project)")
        }
      }
    }
  }

  /// Asks before prefixes or test numbers that were set go away.
  private func confirmLoss(of old: JSONObject, in project: String) throws {
    let numbers = (old["testNumbers"]?.object ?? [:]).members.map(\.name)
    let kept = testNumber.map { String($0.prefix { $0 != "=" }) }
    var lost = prefix.isEmpty ? [] : old.strings("allowedPrefixes").filter { !prefix.contains($0) }
    if noTestNumbers || !testNumber.isEmpty { lost += numbers.filter { !kept.contains($0) } }
    guard !lost.isEmpty else { return }
    try confirmation.confirm(
      "Replace the numbers of \(project)? \(lost.joined(separator: ", ")) would be removed.")
  }

  private func policy() throws -> JSONObject {
    var policy = JSONObject()
    policy["isEnabled"] = signIn.map { .bool($0) }
    if !prefix.isEmpty { policy["allowedPrefixes"] = .array(prefix.map { .string($0) }) }
    policy["messagesPerDay"] = messagesPerDay.map { .number(JSONNumber(Int64($0))) }
    if noTestNumbers || !testNumber.isEmpty { policy["testNumbers"] = .object(try testNumbers()) }
    return policy
  }

  private func testNumbers() throws -> JSONObject {
    var numbers = JSONObject()
    for text in testNumber {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let number = PhoneNumber(parts[0])?.text else {
        throw CommandFailure("--test-number \(text): write it as +15555550100=123456")
      }
      guard numbers[number] == nil else {
        throw CommandFailure("--test-number \(text): \(number) is named twice")
      }
      numbers[number] = .string(parts[1])
    }
    return numbers
  }
}
