import Foundation
import Testing

/// Every wrong setting is reported with a remedy before anything starts.
@Suite struct ConfigurationFaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var arguments: [String] = []
    var environment: [String: String] = [:]
    var file: String?
    /// The complete text.
    let remedy: String

    var testDescription: String { remedy }

    static func set(_ assignment: String, _ remedy: String) -> Fault {
      Fault(arguments: ["--set", assignment], remedy: remedy)
    }
  }

  static let faults: [Fault] = [
    Fault(
      arguments: ["--port", "many"],
      remedy: "--port: “many” is not a whole number from 0 to 65535"),
    Fault(
      environment: ["GATEHOUSE_PORT": "65536"],
      remedy: "GATEHOUSE_PORT: “65536” is not a whole number from 0 to 65535"),
    Fault(
      arguments: ["--metrics-port", "x"],
      remedy: "--metrics-port: “x” is not a whole number from 0 to 65535"),
    .set("host=", "--set host: the value is empty"),
    .set(
      "apple.domainAssociationFile=/nowhere/file",
      "--set apple.domainAssociationFile: /nowhere/file can't be read"),
    .set(
      "apple.domainAssociationFile=/dev/zero",
      "--set apple.domainAssociationFile: /dev/zero is not Apple's file, which is a text of at "
        + "most 64 KiB"),
    .set("data=", "--set data: the value is empty"),
    .set(
      "log.level=loud",
      "--set log.level: “loud” is not one of trace, debug, info, notice, warning, error, "
        + "critical"),
    .set("passwords.logCost=9", "--set passwords.logCost: “9” is not a whole number from 10 to 20"),
    .set("passwords.threads=0", "--set passwords.threads: “0” is not a whole number from 1 to 64"),
    .set(
      "shutdown.graceSeconds=301",
      "--set shutdown.graceSeconds: “301” is not a whole number from 1 to 300"),
    .set(
      "providers.baseURL=http://127.0.0.1:1",
      "--set providers.baseURL: “http://127.0.0.1:1” is not an https URL"),
    .set(
      "providers.baseURL=nonsense", "--set providers.baseURL: “nonsense” is not an https URL"),
    .set(
      "server.trustedProxies=10.0.0.0/8,proxy",
      "--set server.trustedProxies: “proxy” is neither an address nor a network such as 10.0.0.0/8"),
    .set(
      "server.trustedProxies=10.0.0.0/33",
      "--set server.trustedProxies: “10.0.0.0/33” is neither an address nor a network such as "
        + "10.0.0.0/8"),
    .set(
      "server.trustedProxies=127.0.0.1,0.0.0.0/0",
      "--set server.trustedProxies: “0.0.0.0/0” contains every address, so any client could "
        + "claim any address: name your proxies' own addresses"),
    .set(
      "server.trustedProxies=::/0",
      "--set server.trustedProxies: “::/0” contains every address, so any client could claim any "
        + "address: name your proxies' own addresses"),
    .set(
      "server.connections=0",
      "--set server.connections: “0” is not a whole number from 1 to 100000"),
    .set(
      "dev.unsignedTokens=true",
      "dev.unsignedTokens is only for --dev: back ends would take anyone for any user"),
    .set(
      "server.connectionsPerAddress=100001",
      "--set server.connectionsPerAddress: “100001” is not a whole number from 1 to 100000"),
    .set(
      "outbound.seconds=61",
      "--set outbound.seconds: “61” is not a whole number from 1 to 60"),
    .set(
      "server.requestSeconds=0",
      "--set server.requestSeconds: “0” is not a whole number from 1 to 600"),
    Fault(
      environment: ["GATEHOUSE_TLS_CERTIFICATE": "chain.pem"],
      remedy: "GATEHOUSE_TLS_CERTIFICATE is given without its key: give tls.key too"),
    Fault(
      arguments: ["--tls-key", "key.pem"],
      remedy: "--tls-key is given without its certificate: give tls.certificate too"),
    Fault(
      arguments: ["--tls-certificate", "/nowhere.pem", "--tls-key", "/nowhere.key"],
      remedy: "the TLS certificate /nowhere.pem can't be read; does it exist, and may this user "
        + "read it?"),
    Fault(
      arguments: ["--port", "9191", "--metrics-port", "9191"],
      remedy: "port and metricsPort are both 9191: choose another with --metrics-port"),
    .set(
      "server.forwardedHeader=Via",
      "--set server.forwardedHeader: “Via” is neither X-Forwarded-For nor Forwarded"),
    .set("nonsense", "--set nonsense: write it as key=value"),
    Fault(
      file: #"{"port": [1]}"#, remedy: "FILE: port: write it as a list of strings"),
    Fault(
      file: #"{"publicURL": "ftp://auth.example.com"}"#,
      remedy:
        "FILE: publicURL: “ftp://auth.example.com” is not an https URL without user, query and "
        + "fragment, such as https://auth.example.com (http is allowed for loopback only)"),
    Fault(
      environment: ["GATEHOUSE_PUBLIC_URL": "https://auth.example.com?a=b"],
      remedy: "GATEHOUSE_PUBLIC_URL: “https://auth.example.com?a=b” is not an https URL without "
        + "user, query and fragment, such as https://auth.example.com (http is allowed for "
        + "loopback only)"),
    Fault(
      environment: ["GATEHOUSE_PUBLIC_URL": "http://auth.example.com"],
      remedy: "GATEHOUSE_PUBLIC_URL: “http://auth.example.com” is not an https URL without "
        + "user, query and fragment, such as https://auth.example.com (http is allowed for "
        + "loopback only)"),
    Fault(
      environment: ["GATEHOUSE_PUBLIC_URL": "https://example.com/a//b"],
      remedy: "GATEHOUSE_PUBLIC_URL: “https://example.com/a//b” has a path that browsers and "
        + "proxies could read differently: write names between slashes, as in "
        + "https://example.com/auth"),
    Fault(
      environment: ["GATEHOUSE_PUBLIC_URL": "https://example.com/a/../b"],
      remedy: "GATEHOUSE_PUBLIC_URL: “https://example.com/a/../b” has a path that browsers and "
        + "proxies could read differently: write names between slashes, as in "
        + "https://example.com/auth"),
    Fault(
      environment: ["GATEHOUSE_MASTER_KEY_FILE": "/etc/nothing"],
      remedy: "both GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are given; give only one"),
    Fault(
      arguments: ["--config", "/nowhere.json"],
      remedy: "--config /nowhere.json: can't be read; does it exist, and may this user read it?"),
  ]

  @Test(arguments: faults)
  func `a wrong setting is reported with a remedy`(_ fault: Fault) async throws {
    try await TemporaryFolder.with { folder in
      let (arguments, remedy) = try Self.given(fault, in: folder)
      for command in [["serve"], ["config", "check"]] {
        let refused = try await Command.run(
          command + ["--public-url", Production.publicURL].filter { _ in !Self.namesURL(fault) }
            + arguments,
          environment: Self.environment.merging(fault.environment) { $1 }, in: folder)
        #expect(refused.status == 1)
        #expect(refused.errors == "Error: \(remedy)\n")
      }
      // Nothing was created before the error.
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/gatehouse-data"))
    }
  }

  private static let environment = [
    "GATEHOUSE_MASTER_KEY": Data(repeating: 7, count: 32).base64EncodedString()
  ]

  private static func namesURL(_ fault: Fault) -> Bool {
    fault.environment["GATEHOUSE_PUBLIC_URL"] != nil || fault.file?.contains("publicURL") == true
  }

  private static func given(
    _ fault: Fault, in folder: TemporaryFolder
  ) throws -> (arguments: [String], remedy: String) {
    guard let text = fault.file else { return (fault.arguments, fault.remedy) }
    let path = try folder.write("settings.json", text)
    return (["--config", path], fault.remedy.replacing("FILE", with: path))
  }

  @Test func `a missing master key is reported with how to create one`() async throws {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(
        ["config", "check", "--public-url", Production.publicURL], in: folder)
      #expect(refused.status == 1)
      #expect(
        refused.errors
          == "Error: there is no master key. Give the one of the database as GATEHOUSE_MASTER_KEY or "
          + "with --master-key-file FILE (mode 0600). For a new database, create one with `gatehouse keys "
          + "new-master`, and keep it apart from the backups.\n")
    }
  }

  @Test(arguments: [
    ("AAAA", 0o600, "doesn't contain 32 bytes in base64"),
    (
      Data(repeating: 7, count: 32).base64EncodedString(), 0o644,
      "is accessible to other users; run: chmod 600 "
    ),
  ])
  func `a wrong master key file is named with the remedy`(
    _ text: String, _ mode: Int, _ remedy: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let file = try folder.write("master.key", text)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let refused = try await Command.run(
        ["config", "check", "--public-url", Production.publicURL, "--master-key-file", file],
        in: folder)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("the master key file \(file) \(remedy)"))
    }
  }

  @Test func `a misspelt variable is reported, and correct settings pass`() async throws {
    try await TemporaryFolder.with { folder in
      let checked = try await Command.run(
        ["config", "check"],
        environment: Self.environment.merging([
          "GATEHOUSE_PUBLIC_URL": Production.publicURL, "GATEHOUSE_PUBLICURL": "x",
        ]) { $1 }, in: folder)
      #expect(checked.status == 0)
      #expect(checked.output == "The settings are right.\n")
      #expect(checked.errors.contains("the environment variable GATEHOUSE_PUBLICURL"))
    }
  }

  @Test(arguments: [
    ([], true), (["--host", "0.0.0.0"], true),
    (["--set", "server.trustedProxies=10.89.7.1"], false),
    (["--host", "0.0.0.0", "--set", "server.trustedProxies=10.89.7.1"], false),
  ])
  func `an untrusted proxy is reported`(_ arguments: [String], _ isTold: Bool) async throws {
    try await TemporaryFolder.with { folder in
      let checked = try await Command.run(
        ["config", "check", "--public-url", Production.publicURL] + arguments,
        environment: Self.environment, in: folder)
      #expect(checked.status == 0)
      #expect(checked.errors.contains("all clients share one rate limit") == isTold)
    }
  }

  @Test func `a server with its own certificate needs no proxy`() async throws {
    try await TemporaryFolder.with { folder in
      let certificate = try await Certificate.make("localhost", in: folder)
      let checked = try await Command.run(
        ["config", "check", "--public-url", Production.publicURL, "--host", "0.0.0.0"]
          + certificate.arguments, environment: Self.environment, in: folder)
      #expect(checked.status == 0)
      #expect(!checked.errors.contains("all clients share one rate limit"))
    }
  }

  @Test func `settings are shown with their sources, without the master key`() async throws {
    try await TemporaryFolder.with { folder in
      let file = try folder.write("settings.json", #"{"log": {"level": "debug"}}"#)
      let shown = try await Command.run(
        ["config", "show", "--config", file, "--port", "1234"],
        environment: Self.environment.merging(["GATEHOUSE_HOST": "::1"]) { $1 }, in: folder)
      #expect(shown.status == 0)
      func line(_ key: String) -> [Substring] {
        (shown.lines.first { $0.hasPrefix(key + " ") } ?? "").split(separator: " ")
      }
      #expect(line("port") == ["port", "1234", "--port"])
      #expect(line("host") == ["host", "::1", "GATEHOUSE_HOST"])
      #expect(line("log.level").prefix(2) == ["log.level", "debug"])
      #expect(line("masterKey") == ["masterKey", "(secret)", "GATEHOUSE_MASTER_KEY"])
      #expect(!shown.output.contains(Self.environment["GATEHOUSE_MASTER_KEY"] ?? "?"))
    }
  }
}
