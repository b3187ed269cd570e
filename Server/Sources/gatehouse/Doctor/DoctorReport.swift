import ArgumentParser
import GatehouseServer
import GatehouseProtocol

/// Findings, for people or programs to read.
struct DoctorReport: Sendable {
  var findings: [Finding]

  init(_ findings: [Finding] = []) { self.findings = findings }

  /// Whether nothing failed. Warnings don't count as failures.
  var isHealthy: Bool {
    findings.allSatisfy { finding in
      if case .failed = finding.verdict { false } else { true }
    }
  }

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

  /// Prints the lines.
  ///
  /// - Throws: `ExitCode.failure` if something failed.
  func say() throws {
    for line in lines { Terminal.say(line) }
    if !isHealthy { throw ExitCode.failure }
  }

  /// `{"healthy": …, "findings": [{"check", "verdict": "ok|warning|failed", "detail", "remedy"?}]}`
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("healthy")
      writer.value(isHealthy)
      writer.name("findings")
      writer.array { writer in
        for finding in findings { Self.write(finding, to: &writer) }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func write(_ finding: Finding, to writer: inout JSONWriter) {
    let (verdict, remedy): (String, String?) =
      switch finding.verdict {
      case .ok: ("ok", nil)
      case .warning(let remedy): ("warning", remedy)
      case .failed(let remedy): ("failed", remedy)
      }
    let members = [
      ("check", finding.check), ("verdict", verdict), ("detail", finding.detail),
      ("remedy", remedy),
    ]
    writer.object { writer in
      for (name, value) in members {
        guard let value else { continue }
        writer.name(name)
        writer.value(value)
      }
    }
  }
}
