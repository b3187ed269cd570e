import Foundation
import Testing

/// `doctor` beside a running server, and with faults.
@Suite struct DoctorCommandTests {
  private static func findings(_ command: Command) throws -> [String: String] {
    let report = JSON(reading: Data(command.output.utf8))
    return Dictionary(
      report["findings"].array.map { ($0["check"].string ?? "", $0["verdict"].string ?? "") },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func `a healthy server passes, and its ports count as its own`() async throws {
    try await Production.with { production, server, _ in
      let port = try #require(server.baseURL.split(separator: ":").last)
      let doctor = try await production.command(
        "doctor", "--json", "--offline", "--public-url", Production.publicURL, "--port",
        String(port))
      let findings = try Self.findings(doctor)
      #expect(doctor.status == 0, "\(doctor.output)")
      for check in ["settings", "database", "mode", "master key", "port \(port)", "data folder"] {
        #expect(findings[check] == "ok", "\(check): \(doctor.output)")
      }
    }
  }

  @Test func `the certificate is checked, and settings without effect are reported`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let certificate = try await Certificate.make("serving", in: folder)
      let doctor = try await production.command(
        ["doctor", "--json", "--offline", "--public-url", Production.publicURL, "--port", "0"]
          + certificate.arguments)
      let report = JSON(reading: Data(doctor.output.utf8))["findings"].array
      func texts(_ check: String, _ verdict: String) -> [String] {
        report.filter { $0["check"].string == check && $0["verdict"].string == verdict }
          .compactMap { $0["detail"].string }
      }
      // The certificate is valid for slightly less than two days.
      #expect(texts("TLS certificate", "warning").first?.hasSuffix(", 1 days") == true)
      #expect(
        texts("settings", "warning").contains {
          $0.contains("server.trustedProxies names no proxy")
        })
      #expect(doctor.status == 0, "\(doctor.output)")

      try Data("no key".utf8).write(to: URL(fileURLWithPath: certificate.keyFile))
      let broken = try await production.command(
        ["doctor", "--offline", "--public-url", Production.publicURL, "--port", "0"]
          + certificate.arguments)
      #expect(broken.status == 1)
      #expect(
        broken.output.contains("FAIL  settings: the TLS key \(certificate.keyFile) contains no"))
    }
  }

  @Test func `each fault is on its own line`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/data")
      let other = try await Command.run(["keys", "new-master"], in: folder)
      let doctor = try await Command.run(
        [
          "doctor", "--json", "--offline", "--public-url", Production.publicURL, "--port", "0",
          "--data", folder.path + "/data",
        ],
        environment: ["GATEHOUSE_MASTER_KEY": try #require(other.lines.first)], in: folder)
      let findings = try Self.findings(doctor)
      #expect(doctor.status == 1)
      #expect(findings["data folder"] == "failed")
      #expect(findings["master key"] == "failed")
      #expect(findings["database"] == "ok")
      _ = production
    }
  }

  @Test func `the public URL, providers and clock are checked on a network`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(.init(), in: folder)
      defer { server.process.kill() }
      let doctor = try await Command.run(
        [
          "doctor", "--dev", "--json", "--data", folder.path + "/data", "--port", "0",
          "--simulator-port", String(server.simulatorURL.split(separator: ":").last ?? ""),
        ], in: folder)
      let findings = try Self.findings(doctor)
      #expect(findings["demo apple.com keys"] == "ok", "\(doctor.output)")
      #expect(findings["clock"] == "ok")
    }
  }
}
