import ArgumentParser
import GatehouseProtocol

struct SearchUsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find accounts by words and filters.",
    discussion: """
      A word is found at the beginning of a word of the name or the email, of the domain, of the id or of the phone \
      number, and at the end of the phone number. All words have to be found.
      """)

  @Argument(help: "Words, such as anna schm.")
  var words: [String] = []

  @Option(
    help:
      "With this provider: apple, google, password, phone, passkey, anonymous, …. May be repeated.")
  var provider: [String] = []

  @Flag(inversion: .prefixedNo, help: "Only disabled accounts, or only enabled ones.")
  var disabled: Bool?

  @Flag(inversion: .prefixedNo, help: "Only with a verified email, or with an unverified one.")
  var verified: Bool?

  @Flag(inversion: .prefixedNo, help: "Only with a second factor, or without one.")
  var secondFactor: Bool?

  @Option(help: "Created at this time or later, such as 2027-01-31T12:00:00Z.")
  var createdAfter: String?

  @Option(help: "Created before this time.")
  var createdBefore: String?

  @Option(help: "Signed in at this time or later.")
  var signedInAfter: String?

  @Option(help: "Last signed in before this time.")
  var signedInBefore: String?

  @Option(help: "With this custom claim, such as role=editor.")
  var claim: String?

  @Flag(help: "Only accounts in the grace period of their deletion.")
  var deletionScheduled = false

  @Option(help: "The maximum number of accounts to list, from 1 to 1000.")
  var limit = 50

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if !(1...1000).contains(limit) { throw ValidationError("--limit \(limit): from 1 to 1000") }
    if let claim, !claim.contains("=") {
      throw ValidationError("--claim \(claim): write it as name=value")
    }
  }

  func run() async throws {
    try await project.run { project in
      var table = TextTable("ID", "EMAIL", "STATE", "SIGN-IN", "LAST SIGN-IN")
      var count = 0
      var token: String?
      repeat {
        var body = request
        body["pageSize"] = .number(JSONNumber(Int64(min(limit - count, 100))))
        body["pageToken"] = token.map { .string($0) }
        let page = try await project.client.send(
          .post, ["v2", "projects", project.project, "accounts"], verb: "search", body)
        if project.client.printsJSON { project.say(page) {} }
        for user in page.objects("users") { table.add(user) }
        count += page.objects("users").count
        token = page["nextPageToken"]?.string
      } while token != nil && count < limit
      guard !project.client.printsJSON else { return }
      table.say()
      Terminal.note("\(count) accounts\(token == nil ? "." : "; there may be more: --limit").")
    }
  }

  private var request: JSONObject {
    var filter = JSONObject(ifPresent: [
      "createdAfter": createdAfter, "createdBefore": createdBefore, "signedInAfter": signedInAfter,
      "signedInBefore": signedInBefore,
    ])
    if !provider.isEmpty {
      filter["providerIds"] = .array(provider.map { .string(ProviderName.id($0)) })
    }
    filter["disabled"] = disabled.map { .bool($0) }
    filter["emailVerified"] = verified.map { .bool($0) }
    filter["hasSecondFactor"] = secondFactor.map { .bool($0) }
    if deletionScheduled { filter["deletionScheduled"] = true }
    if let claim {
      let parts = claim.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      filter["claim"] = [
        "name": .string(String(parts[0])), "value": Self.value(String(parts[1])),
      ]
    }
    var body = JSONObject(ifPresent: ["query": words.joined(separator: " ")])
    if !filter.members.isEmpty { body["filter"] = .object(filter) }
    return body
  }

  /// `true`, `false` and whole numbers are what they look like.
  private static func value(_ text: String) -> JSONValue {
    if text == "true" || text == "false" { return .bool(text == "true") }
    return Int64(text).map { .number(JSONNumber($0)) } ?? .string(text)
  }
}
