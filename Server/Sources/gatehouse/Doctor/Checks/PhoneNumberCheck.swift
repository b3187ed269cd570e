import GatehouseServer
import GatehouseProtocol

/// Checks that a project with sign-in by phone number can send messages, and reports the risks.
enum PhoneNumberCheck {
  /// Sends nothing: `gatehouse phone-numbers test` does.
  ///
  /// - Parameter isDevelopment: With `--dev` codes are shown if there is no webhook.
  static func findings(
    of project: Project, webhook: CodeWebhook?, isDevelopment: Bool
  ) -> [Finding] {
    let policy = project.policies.phone
    guard policy.isEnabled else { return [] }
    let set = "gatehouse phone-numbers set --project \(project.id)"
    var findings: [Finding] = []
    func add(_ verdict: Finding.Verdict, _ detail: String) {
      findings.append(Finding("\(project.id) phone numbers", verdict, detail))
    }
    if policy.allowedPrefixes.isEmpty {
      let remedy = "Allow prefixes of numbers: \(set) --prefix +49"
      add(
        policy.testNumbers.isEmpty ? .failed(remedy: remedy) : .warning(remedy: remedy),
        "no prefix is allowed, so codes are sent to no number")
    } else if webhook == nil, !isDevelopment {
      add(
        .failed(remedy: "Set the webhook that sends the messages: \(set) --webhook https://…"),
        "there is no webhook that sends codes")
    }
    if policy.allowedPrefixes.contains("+"), !isDevelopment {
      add(
        .warning(remedy: "Name the countries of your users: \(set) --prefix +49 --prefix +43"),
        "codes are sent to every country, even those known for toll fraud")
    }
    if !policy.testNumbers.isEmpty, !isDevelopment {
      add(
        .warning(
          remedy: "Anyone who knows a code can sign in with its number. To remove them: "
            + "\(set) --no-test-numbers"),
        "\(policy.testNumbers.count) test numbers have fixed codes")
    }
    if let fault = policy.fault {
      add(.warning(remedy: "Set the values again: \(set)"), fault)
    }
    if findings.isEmpty {
      add(.ok, "at most \(policy.messagesPerDay) messages a day")
    }
    return findings
  }
}
