import ArgumentParser
import GatehouseServer
import GatehouseProtocol

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
    help: "The https URL that is called for each code; http is allowed for this machine only.")
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

  @Option(help: "The maximum of text messages in 24 hours.")
  var messagesPerDay: Int?

  @Option(
    help: """
      A number with a fixed code, to which nothing is sent, as in +15555550100=123456. May be \
      repeated; replaces the former numbers.
      """)
  var testNumber: [String] = []

  @Flag(help: "Remove all test numbers.")
  var noTestNumbers = false

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if noWebhook && webhook != nil { throw ValidationError("give --webhook or --no-webhook") }
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
    let url = try webhook.map { try Self.address($0) }
    let given = try ProviderOptions.secret(in: webhookSecretFile, "--webhook-secret-file").map {
      text in
      guard let secret = WebhookSecret(text) else {
        throw CommandFailure(
          "--webhook-secret-file: it must contain whsec_ and the base64 of 24 to 64 bytes; leave "
            + "the flag out to create a secret")
      }
      return secret
    }
    let testNumbers = try Self.testNumbers(testNumber)
    try await data.withDatabase { [self] database in
      let id = try await project.resolve(in: database)
      let (made, isOff) = try await database.store.write { transaction -> (WebhookSecret?, Bool) in
        guard var project = try transaction.project(id) else { return (nil, false) }
        let before = project.policies.phone
        apply(to: &project.policies.phone, testNumbers)
        if let fault = project.policies.phone.fault { throw CommandFailure(fault) }
        if project.policies.phone != before { try transaction.save(project) }
        return (
          try setWebhook(url, given, of: id, transaction), !project.policies.phone.isEnabled
        )
      }
      Terminal.say("The phone number settings of \(id) are changed.")
      if isOff, signIn == nil {
        Terminal.say("Sign-in by phone number is off: turn it on with --enable-sign-in.")
      }
      made?.sayOnce("The webhook's secret", verifiedBy: "your receiver")
      if url != nil || given != nil {
        Terminal.say("Try it: gatehouse phone-numbers test --project \(id)")
      }
    }
  }

  private func apply(to policy: inout PhonePolicy, _ testNumbers: [String: String]) {
    policy.isEnabled = signIn ?? policy.isEnabled
    if !prefix.isEmpty { policy.allowedPrefixes = prefix }
    policy.messagesPerDay = messagesPerDay ?? policy.messagesPerDay
    if !testNumbers.isEmpty { policy.testNumbers = testNumbers }
    if noTestNumbers { policy.testNumbers = [:] }
  }

  /// - Returns: The secret, if one was created.
  private func setWebhook(
    _ url: String?, _ given: WebhookSecret?, of project: ProjectID,
    _ transaction: Transaction
  ) throws -> WebhookSecret? {
    if noWebhook {
      _ = try transaction.deleteCodeWebhook(of: project)
      return nil
    }
    guard url != nil || given != nil else { return nil }
    let known = try transaction.codeWebhook(of: project)
    guard let url = url ?? known?.url else {
      throw CommandFailure("--webhook-secret-file: name the webhook with --webhook")
    }
    let made = given == nil && known == nil ? WebhookSecret.random() : nil
    guard let secret = given ?? made ?? known?.secret else { return nil }
    try transaction.save(CodeWebhook(url: url, secret: secret), of: project)
    return made
  }

  private static func address(_ text: String) throws -> String {
    do throws(WebhookAddress.Fault) {
      return try WebhookAddress.checked(text, allowsLoopback: true)
    } catch {
      switch error {
      case .form: throw CommandFailure("--webhook: not a URL such as https://sms.example.com/codes")
      case .insecure, .loopback:
        throw CommandFailure(
          "--webhook: must be an https URL, because it receives codes that sign users in (http is "
            + "allowed for this machine only)")
      }
    }
  }

  private static func testNumbers(_ texts: [String]) throws -> [String: String] {
    var numbers: [String: String] = [:]
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let number = PhoneNumber(parts[0]) else {
        throw CommandFailure("--test-number \(text): write it as +15555550100=123456")
      }
      guard numbers.updateValue(parts[1], forKey: number.text) == nil else {
        throw CommandFailure("--test-number \(text): \(number.text) is named twice")
      }
    }
    return numbers
  }
}
