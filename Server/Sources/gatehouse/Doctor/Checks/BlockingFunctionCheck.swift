import GatehouseServer

/// Reports a project's blocking functions, and what happens when one fails.
enum BlockingFunctionCheck {
  /// Calls no function: `gatehouse blocking-functions test` does.
  static func findings(of project: Project) -> [Finding] {
    let functions = project.blockingFunctions
    var findings: [Finding] = []
    for trigger in BlockingFunction.Trigger.allCases {
      guard let function = functions[trigger] else { continue }
      let check = "\(project.id) \(trigger.rawValue)"
      guard let url = OutboundURL(function.url), url.isSecure || url.namesLoopback else {
        findings.append(
          Finding(
            check,
            .failed(
              remedy: "gatehouse blocking-functions set \(trigger.rawValue) --url https://…"),
            "the function's URL is neither https nor on this machine"))
        continue
      }
      let consequence =
        switch function.onFailure {
        case .refuse: "if it fails, users are refused"
        case .allow: "if it fails, users pass unchecked"
        }
      findings.append(Finding(check, .ok, "\(url.host) decides; \(consequence)"))
    }
    if !functions.isEmpty, functions.forwarded.contains(.refreshToken) {
      findings.append(
        Finding(
          "\(project.id) blocking functions",
          .warning(
            remedy: "If they don't need them: gatehouse blocking-functions forward "
              + "--disable-refresh-token"),
          "the functions get providers' refresh tokens, which are valid for months"))
    }
    return findings
  }
}
