package import GatehouseAccounts
package import GatehouseFederation

/// Whether a project whose people sign in by text message can send any, and at what risk.
package enum PhoneNumberCheck {
  /// Sends nothing: `gatehouse phone-numbers test` does.
  ///
  /// - Parameter isDevelopment: Codes are shown there where there is no webhook.
  package static func findings(
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
      let remedy = "Name how they begin: \(set) --prefix +49"
      add(
        policy.testNumbers.isEmpty ? .failed(remedy: remedy) : .warning(remedy: remedy),
        "codes are sent to no numbers but test numbers")
    } else if webhook == nil, !isDevelopment {
      add(
        .failed(remedy: "Name what sends the messages: \(set) --webhook https://…"),
        "there is no webhook to send codes by")
    }
    if policy.allowedPrefixes.contains("+"), !isDevelopment {
      add(
        .warning(remedy: "Name the countries of your users: \(set) --prefix +49 --prefix +43"),
        "codes are sent to every country, also to those of toll fraud")
    }
    if !policy.testNumbers.isEmpty, !isDevelopment {
      add(
        .warning(
          remedy: "Anyone who knows a code signs in with its number; when you need them no more: "
            + "\(set) --no-test-numbers"),
        "\(policy.testNumbers.count) test numbers have fixed codes")
    }
    if findings.isEmpty {
      add(.ok, "at most \(policy.messagesPerDay) messages a day")
    }
    return findings
  }
}
