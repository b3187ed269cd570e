import ArgumentParser
import GatehouseServer
import GatehouseProtocol

/// Findings, for people or programs to read.
struct DoctorReport: Sendable {
  var findings: [Finding]

  init(_ findings: [Finding] = []) { self.findings = findings }

  /// Whether nothing failed. Warnings don't count as failures.
  var isHealthy: Bool { response.isHealthy }

  /// `ok`, `note` or `FAIL`, the check and its result. The next line says what to do about it. A result may
  /// quote another server's response, or a DNS record of anyone whom a domain's record names.
  var lines: [String] {
    findings.flatMap { finding -> [String] in
      let text = "\(finding.check): \(finding.detail)".printable
      return switch finding.verdict {
      case .ok: ["ok    \(text)"]
      case .warning(let remedy): ["note  \(text)", "      \(remedy.printable)"]
      case .failed(let remedy): ["FAIL  \(text)", "      \(remedy.printable)"]
      }
    }
  }

  /// Prints the lines, or the findings as the API has them.
  ///
  /// - Throws: `ExitCode.failure` if something failed.
  func say(asJSON: Bool = false) throws {
    if asJSON {
      Terminal.say(String(decoding: response.json(), as: UTF8.self))
    } else {
      for line in lines { Terminal.say(line) }
    }
    if !isHealthy { throw ExitCode.failure }
  }

  private var response: FindingsResponse { FindingsResponse(findings) }
}

extension AdministrationClient {
  /// Prints the findings of a test or an examination.
  ///
  /// - Throws: `ExitCode.failure` if something failed.
  func sayFindings(_ answer: JSONObject) throws {
    let findings = answer.objects("findings").map { finding in
      let remedy = finding["remedy"]?.string ?? ""
      let verdict: Finding.Verdict =
        switch finding["verdict"]?.string {
        case "ok": .ok
        case "warning": .warning(remedy: remedy)
        default: .failed(remedy: remedy)
        }
      return Finding(finding.shown("check"), verdict, finding["detail"]?.string ?? "")
    }
    try DoctorReport(findings).say(asJSON: printsJSON)
  }
}
