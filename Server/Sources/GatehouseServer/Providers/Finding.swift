package import GatehouseProtocol

/// The result of one check of what an administrator has set up.
package struct Finding: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case ok
    /// Something is missing or unusual, but may be intended.
    case warning(remedy: String)
    case failed(remedy: String)
  }

  /// What was checked, such as `keys`.
  package var check: String
  package var verdict: Verdict
  /// What was found. Contains no secret.
  package var detail: String

  package init(_ check: String, _ verdict: Verdict, _ detail: String) {
    self.check = check
    self.verdict = verdict
    self.detail = detail
  }
}

/// What a test or an examination found: `{"healthy", "findings": [{"check", "verdict", "detail", "remedy"}]}`. A
/// warning is not a fault.
package struct FindingsResponse: WireResponse {
  package let findings: [Finding]

  package init(_ findings: [Finding]) { self.findings = findings }

  package var isHealthy: Bool {
    findings.allSatisfy { finding in
      if case .failed = finding.verdict { false } else { true }
    }
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("healthy", isHealthy)
    writer.array("findings") { list in
      for finding in findings {
        let (verdict, remedy): (String, String?) =
          switch finding.verdict {
          case .ok: ("ok", nil)
          case .warning(let remedy): ("warning", remedy)
          case .failed(let remedy): ("failed", remedy)
          }
        list.object {
          $0.member("check", finding.check)
          $0.member("verdict", verdict)
          $0.member("detail", finding.detail)
          $0.member("remedy", ifPresent: remedy)
        }
      }
    }
  }
}
